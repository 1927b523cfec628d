// Signing in and out: a token or a one-time code becomes a session of this browser.
import { createClient } from '../../../src/client/client.ts';
import { api, dataOf } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { queryClient } from '../api/query-client.ts';
import { adoptSession, callerOf, currentSession, forgetSession } from './session.ts';

const fetchWithoutCookie: typeof fetch = async (input, init) => fetch(input, { ...init, credentials: 'omit' });
const fetchWithCookie: typeof fetch = async (input, init) => fetch(input, { ...init, credentials: 'same-origin' });

/**
 * Makes a session. The answer sets the cookie that opens page files.
 * @param bearer an access token, an API key or a one-time code
 * @throws ApiError 401 when the service does not know it
 */
export async function signIn(bearer: string): Promise<void> {
  const client = createClient({ url: location.origin, token: bearer, fetch: fetchWithCookie });
  const { session_id, access_token, expires_at } = await dataOf(client.POST('/v1/auth/sessions', { body: {} }));
  // The caller is known before anything is shown: another person must not see what this one has read.
  const own = createClient({ url: location.origin, token: access_token, fetch: fetchWithoutCookie });
  const me = await dataOf(own.GET('/v1/auth/me'));
  adoptSession({ session_id, access_token, expires_at, caller: callerOf(me) });
  await queryClient.invalidateQueries();
}

/** Ends the session on the service, then forgets it here. */
export async function signOut(): Promise<void> {
  const session = currentSession();
  if (session !== undefined) {
    const ended = api().DELETE('/v1/auth/sessions/{id}', { params: { path: { id: session.session_id } } });
    const { response } = await ended;
    if (!response.ok && response.status !== 401 && response.status !== 404) throw new ApiError(response, undefined);
  }
  forgetSession();
}

/** Takes `#code=…` out of the address before anything else reads it. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
