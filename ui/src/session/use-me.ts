// The caller: who is signed in, and what may be done.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf, ownApi } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { callerOf, noteCaller, useSession } from './session.ts';
import { commonWords as words } from '../words/en-common.ts';

export type Me = Schemas['Me'];

export function useMe(): Me | undefined {
  // Without a session the service would refuse; what is known of an ended one stays until another takes its place.
  const enabled = useSession().kind === 'signed-in';
  return useQuery({ ...meQuery, enabled }).data;
}

/** False until the caller is known, or cannot be known: a page that begins earlier asks what it may not read. */
export function useIsMeSettled(): boolean {
  const enabled = useSession().kind === 'signed-in';
  return !useQuery({ ...meQuery, enabled }).isPending;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me> => {
    const me = await dataOf(ownApi().GET('/v1/auth/me'));
    noteCaller(callerOf(me));
    return me;
  },
  staleTime: 60_000,
});

/** True for an administrator of the service, who may act in every tenant. */
export function mayCrossTenants({ roles, permissions }: Me): boolean {
  return roles.includes('admin') && permissions.includes('tenants:read');
}

/** Why a control is off for this caller; undefined when the permission is there or not known yet. */
export function useLack(permission: string): string | undefined {
  const me = useMe();
  if (me === undefined || me.permissions.includes(permission)) return undefined;
  return words.noPermission(permission, me.roles.join(', '));
}
