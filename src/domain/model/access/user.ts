// The noun user: a person or program with a name in a tenant. choices-4.
import type { Role } from './permission.ts';

export const userStatuses = ['active', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

export interface User {
  /** The subject of its callers. */
  readonly userId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Disabled: all of its credentials are rejected. */
  readonly status: UserStatus;
  /** `provider`: created from an access token, whose roles it has; `admin`: created by an admin. */
  readonly source: 'admin' | 'provider';
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The subject of a configured token's principal. Such principals have no row; only the configuration has them. */
export function configuredSubject(tokenName: string): string {
  return `token:${tokenName}`;
}

/** Prefixes and subjects that no user may have: those of configured tokens and of the service itself. */
const reserved = /^(token|service|system|key|session):|^(anonymous|system)$/;

/** Whether a subject is reserved for the service. */
export function isReservedSubject(subject: string): boolean {
  return reserved.test(subject);
}
