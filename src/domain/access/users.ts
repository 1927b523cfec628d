// Verbs over users; only admins have their permissions. choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import { permissionsOf, type Role } from '../model/access/permission.ts';
import { isReservedSubject, type User, type UserStatus } from '../model/access/user.ts';
import type { Page } from '../ports/store/page.ts';
import type { Store } from '../ports/store/store.ts';
import { cutPage } from './cut-page.ts';
import type { AccessDeps } from './deps.ts';

/** An undefined field stays as it is. */
export interface UserChange {
  readonly name: string | undefined;
  readonly roles: readonly Role[] | undefined;
  readonly status: UserStatus | undefined;
}

/** By id. */
export async function listUsers(
  deps: { readonly store: Store },
  caller: Caller,
  page: Page,
): Promise<{ items: readonly User[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.users.list({ ...page, limit: page.limit + 1 }));
  return cutPage(found, page.limit, ({ userId }) => userId);
}

/** @throws DomainError not_found */
export async function getUser(deps: { readonly store: Store }, caller: Caller, userId: string): Promise<User> {
  const user = await deps.store.within(caller, (rows) => rows.users.find(userId));
  if (user === undefined) throw notFound('user');
  return user;
}

/**
 * Creates or changes a user. Changes apply to existing keys and sessions immediately.
 * @throws DomainError invalid (`reserved_user`) for an id that the service assigns itself; forbidden
 * (`roles_too_wide`) for roles with more permissions than the caller
 */
export async function putUser(deps: AccessDeps, caller: Caller, userId: string, change: UserChange): Promise<User> {
  if (isReservedSubject(userId)) {
    throw new DomainError(
      'invalid',
      'reserved_user',
      'This id is reserved for the service. Change the principals of configured tokens in A2A_AUTH_TOKENS.',
    );
  }
  assertRolesWithinOwn(caller, change.roles ?? []);
  const user = await deps.store.within(caller, async (rows) => {
    const put = await rows.users.put(userId, change);
    // The director pauses or resumes them.
    if (change.status !== undefined || change.roles !== undefined) await rows.runs.makeDueOf({ owner: userId });
    return put;
  });
  deps.stored.forget();
  return user;
}

function assertRolesWithinOwn(caller: Caller, roles: readonly Role[]): void {
  if (permissionsOf(roles).isSubsetOf(permissionsOf(caller.roles, caller.scopes))) return;
  throw new DomainError('forbidden', 'roles_too_wide', 'You cannot grant a role with more permissions than your own.');
}

/** Deletes the keys and sessions too: a later user of the same id does not get them. @throws DomainError not_found */
export async function removeUser(deps: AccessDeps, caller: Caller, userId: string): Promise<User> {
  const removed = await deps.store.within(caller, async (rows) => {
    const user = await rows.users.find(userId);
    if (user === undefined) throw notFound('user');
    await rows.users.remove(userId);
    await rows.apiKeys.revokeAllOf(userId);
    await rows.signIns.endAllOf(userId);
    await rows.runs.makeDueOf({ owner: userId });
    return user;
  });
  deps.stored.forget();
  return removed;
}
