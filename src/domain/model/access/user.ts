// The noun user: a person or program that is known by name in a tenant. choices-4.
import type { Role } from './permission.ts';

export const userStatuses = ['active', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

export interface User {
  /** The subject of its callers. */
  readonly userId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Disabled: none of its credentials is taken. */
  readonly status: UserStatus;
  /** `provider`: seen with an access token, whose roles it has; `admin`: made by one. */
  readonly source: 'admin' | 'provider';
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The subject of a configured token's principal. Such principals have no row: the configuration is theirs. */
export function configuredSubject(tokenName: string): string {
  return `token:${tokenName}`;
}

/** Beginnings of subjects that no user may have: those of configured tokens and of the service itself. */
const reserved = /^(token|service|key|session):|^(anonymous|system)$/;

/** Whether a subject is one that the service gives out itself. */
export function isReservedSubject(subject: string): boolean {
  return reserved.test(subject);
}
