// Permissions as a tree: by resource, in the order of the service's matrix.
import type { AnswerOf } from '../../api/answer-of.ts';
import { api, dataOf } from '../../api/api.ts';

export type RoleMatrix = AnswerOf<'auth.permissions'>['roles'];

/** The permissions of each role. They change only with the service. */
export function matrixQuery(): {
  queryKey: readonly string[];
  queryFn: () => Promise<RoleMatrix>;
  staleTime: number;
} {
  return {
    queryKey: ['permissions'],
    queryFn: async () => (await dataOf(api().GET('/v1/auth/permissions'))).roles,
    staleTime: 600_000,
  };
}

export interface ResourceScopes {
  readonly resource: string;
  /** Such as `tasks:read`. */
  readonly permissions: readonly string[];
}

/** Groups permissions by what they are about, in their order. */
export function resourcesOf(permissions: readonly string[]): readonly ResourceScopes[] {
  const groups = Map.groupBy(permissions, (permission) => permission.slice(0, permission.indexOf(':')));
  return [...groups].map(([resource, ofResource]) => ({ resource, permissions: ofResource }));
}

/** The permissions of the matrix that the caller holds: what a new key may be given, and what each role would have of it. */
export function grantable(
  matrix: RoleMatrix,
  held: readonly string[],
): {
  readonly all: readonly string[];
  readonly roles: readonly { role: keyof RoleMatrix; scopes: readonly string[] }[];
} {
  const order: readonly (keyof RoleMatrix)[] = ['viewer', 'editor', 'operator', 'admin', 'agent'];
  const all = [...new Set(order.toReversed().flatMap((role) => matrix[role]))].filter((permission) =>
    held.includes(permission),
  );
  const roles = order
    .map((role) => ({ role, scopes: matrix[role] }))
    // A role that the caller does not hold whole would promise more than it gives.
    .filter(({ scopes }) => scopes.every((scope) => all.includes(scope)));
  return { all, roles };
}
