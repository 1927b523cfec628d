// Asks the policy whether a caller may perform an operation, and whether it may change what another subject owns.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Permission } from '../model/access/permission.ts';
import type { Policy, PolicyQuery } from '../ports/policy.ts';

/** The requirement of an operation: a permission, one of several, or any valid credential. */
export type Demand = Permission | { readonly anyOf: readonly [Permission, ...Permission[]] } | 'any_credential';

/**
 * @param also further requirements, all of them needed
 * @returns undefined when the policy allowed everything synchronously: every call gets here, and a promise costs more
 * than the decision
 * @throws DomainError forbidden, naming the missing permission; unavailable when the policy cannot decide
 */
export function permit(
  policy: Policy,
  caller: Caller,
  demand: Demand,
  also?: readonly Demand[],
): Promise<void> | undefined {
  const allowed = policy.allows(buildPolicyQuery(caller, requiredPermissions(demand), null));
  return allowed === true && also === undefined ? undefined : permitAll(policy, caller, allowed, demand, also);
}

async function permitAll(
  policy: Policy,
  caller: Caller,
  allowed: boolean | Promise<boolean>,
  demand: Demand,
  also: readonly Demand[] | undefined,
): Promise<void> {
  const demands = [demand, ...(also ?? [])];
  const missingPermission = (wanted: readonly Permission[]): DomainError =>
    new DomainError(
      'forbidden',
      'permission_missing',
      wanted.length === 0
        ? 'The policy does not allow this credential to do this.'
        : `This credential lacks the permission ${wanted.join(' or ')}.`,
      // One of several is enough: the last is the widest.
      { permissions: [...new Set(demands.flatMap((each) => requiredPermissions(each).slice(-1)))] },
    );
  if (!(await allowed)) throw missingPermission(requiredPermissions(demand));
  for (const each of also ?? []) {
    const wanted = requiredPermissions(each);
    if (!(await policy.allows(buildPolicyQuery(caller, wanted, null)))) throw missingPermission(wanted);
  }
}

/** The facts of a caller by which the policy decides. */
export type PolicySubject = Pick<Caller, 'subject' | 'tenantId' | 'homeTenantId' | 'roles' | 'scopes'>;

/**
 * Whether this caller meets the requirement; a boolean where the policy decides in this process.
 * @throws DomainError unavailable when the policy cannot decide
 */
export function isPermitted(policy: Policy, caller: PolicySubject, demand: Demand): boolean | Promise<boolean> {
  return policy.allows(buildPolicyQuery(caller, requiredPermissions(demand), null));
}

/** The permissions of which one is enough; empty: any valid credential is enough. */
function requiredPermissions(demand: Demand): readonly Permission[] {
  return demand === 'any_credential' ? [] : typeof demand === 'string' ? [demand] : demand.anyOf;
}

/**
 * Write and delete on what another subject owns need `operator` or higher. choices-4.
 * @throws DomainError forbidden; unavailable when the policy cannot decide
 */
export async function permitOwner(policy: Policy, caller: Caller, owner: string): Promise<void> {
  if (await policy.allows(buildPolicyQuery(caller, [], owner))) return;
  throw new DomainError(
    'forbidden',
    'not_owner',
    'This belongs to another subject; changing it requires the role operator.',
  );
}

/**
 * Whether this caller may change what any other subject owns: for calls that check the owner in the statement that
 * changes the row. choices-4.
 * @throws DomainError unavailable when the policy cannot decide
 */
export async function mayChangeOthers(policy: Policy, caller: Caller): Promise<boolean> {
  return policy.allows(buildPolicyQuery(caller, [], anyOtherOwner));
}

/** An owner other than the caller, such as that of what the whole tenant shares: no subject has this name. */
export const anyOtherOwner = '*';

/** The query to the policy: one of these permissions, or the change of what this owner has. */
export function buildPolicyQuery(
  caller: PolicySubject,
  permissions: readonly Permission[],
  owner: string | null,
): PolicyQuery {
  return {
    subject: caller.subject,
    roles: caller.roles,
    scopes: caller.scopes ?? null,
    tenantId: caller.homeTenantId,
    permissions,
    resourceTenantId: caller.tenantId,
    owner,
  };
}
