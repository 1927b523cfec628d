// May this caller? One question to the policy for what an operation demands, one for who owns the thing.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Permission } from '../model/access/permission.ts';
import type { Policy, PolicyQuery } from '../ports/policy.ts';

/** What an operation demands: a permission, one of several, or any valid credential. */
export type Demand = Permission | { readonly anyOf: readonly [Permission, ...Permission[]] } | 'any_credential';

/**
 * @param also what is demanded beside, by what a body names
 * @returns undefined where the policy let it do all at once: every call asks, and a promise costs more than the answer
 * @throws DomainError forbidden, naming the permission that is missing; unavailable when the policy cannot be asked
 */
export function permit(policy: Policy, caller: Caller, demand: Demand, also?: Demand): Promise<void> | undefined {
  const allowed = policy.allows(buildPolicyQuery(caller, requiredPermissions(demand), null));
  return allowed === true && also === undefined ? undefined : permitAll(policy, caller, allowed, demand, also);
}

async function permitAll(
  policy: Policy,
  caller: Caller,
  allowed: boolean | Promise<boolean>,
  demand: Demand,
  also: Demand | undefined,
): Promise<void> {
  const demands = also === undefined ? [demand] : [demand, also];
  const missingPermission = (wanted: readonly Permission[]): DomainError =>
    new DomainError(
      'forbidden',
      'permission_missing',
      wanted.length === 0
        ? 'The policy does not let this credential do this.'
        : `This credential lacks the permission ${wanted.join(' or ')}.`,
      // One of several would do: the last is what lets do more.
      { permissions: [...new Set(demands.flatMap((each) => requiredPermissions(each).slice(-1)))] },
    );
  if (!(await allowed)) throw missingPermission(requiredPermissions(demand));
  if (also === undefined) return;
  const wanted = requiredPermissions(also);
  if (!(await policy.allows(buildPolicyQuery(caller, wanted, null)))) throw missingPermission(wanted);
}

/** Whether this caller may do what is demanded. @throws DomainError unavailable when the policy cannot be asked */
export async function isPermitted(policy: Policy, caller: Caller, demand: Demand): Promise<boolean> {
  return policy.allows(buildPolicyQuery(caller, requiredPermissions(demand), null));
}

/** The permissions of which one is enough; none: any valid credential will do. */
function requiredPermissions(demand: Demand): readonly Permission[] {
  return demand === 'any_credential' ? [] : typeof demand === 'string' ? [demand] : demand.anyOf;
}

/**
 * Write and delete on what another subject owns need `operator` or higher. choices-4.
 * @throws DomainError forbidden; unavailable when the policy cannot be asked
 */
export async function permitOwner(policy: Policy, caller: Caller, owner: string): Promise<void> {
  if (await policy.allows(buildPolicyQuery(caller, [], owner))) return;
  throw new DomainError(
    'forbidden',
    'not_owner',
    'This belongs to somebody else; changing it needs the role operator.',
  );
}

/**
 * Whether this caller may change what others own, whoever they are: for calls that look for the owner in the statement
 * that changes the row. choices-4.
 * @throws DomainError unavailable when the policy cannot be asked
 */
export async function mayChangeOthers(policy: Policy, caller: Caller): Promise<boolean> {
  return policy.allows(buildPolicyQuery(caller, [], anyOtherOwner));
}

/** An owner that is nobody in particular, e.g. of what the whole tenant shares: no subject is called so. */
export const anyOtherOwner = '*';

/** What the policy is asked about a caller: one of these permissions, or the change of what this owner has. */
export function buildPolicyQuery(
  caller: Caller,
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
