// Who is signed in, and what the caller may do.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { useSession } from './session.ts';
import { commonWords as words } from '../words/en-common.ts';

export type Me = Schemas['Me'];

export function useMe(): Me | undefined {
  // Without a session the service would refuse; what is known of an ended one stays until another takes its place.
  const enabled = useSession().kind === 'signed-in';
  return useQuery({ ...meQuery, enabled }).data;
}

/** False until the service has said who the caller is, or could not: a page that begins earlier asks what it may not read. */
export function useIsMeSettled(): boolean {
  const enabled = useSession().kind === 'signed-in';
  return !useQuery({ ...meQuery, enabled }).isPending;
}

const meQuery = { queryKey: ['me'], queryFn: () => dataOf(api().GET('/v1/auth/me')), staleTime: 60_000 };

/** Why a control is off for this caller; undefined when the permission is there or not known yet. */
export function useLack(permission: string): string | undefined {
  const me = useMe();
  if (me === undefined || me.permissions.includes(permission)) return undefined;
  return words.noPermission(permission, me.roles.join(', '));
}
