// Calls of the service: the typed client with the token of this tab and the tenant that is acted in.
import { createClient, type SwitchyardClient } from '../../../src/client/client.ts';
import { currentSession, refuseSession } from '../session/session.ts';
import { actingTenant } from '../session/tenant.ts';
import { ApiError, type Problem } from './api-error.ts';
import { noteServiceDate } from './clock.ts';

interface KeptClient {
  readonly token: string;
  readonly tenant: string | undefined;
  readonly api: SwitchyardClient;
}

let client: KeptClient | undefined;
let ownClient: KeptClient | undefined;

/** The client for the current session and tenant. Without a session its calls are answered 401. */
export function api(): SwitchyardClient {
  client = clientFor(client, actingTenant());
  return client.api;
}

/** The client of the caller's own tenant, for calls about the caller: whoever may not act in another is refused there. */
export function ownApi(): SwitchyardClient {
  ownClient = clientFor(ownClient, undefined);
  return ownClient.api;
}

function clientFor(kept: KeptClient | undefined, tenant: string | undefined): KeptClient {
  const token = currentSession()?.access_token ?? '';
  if (kept?.token === token && kept.tenant === tenant) return kept;
  const headers: Record<string, string> = tenant === undefined ? {} : { 'x-tenant-id': tenant };
  const fetchWithToken: typeof fetch = async (input, init) => {
    // No cookie: it opens page files alone.
    const response = await fetch(input, { ...init, credentials: 'omit' });
    noteServiceDate(response.headers.get('date'));
    if (response.status === 401) refuseSession(token);
    return response;
  };
  return { token, tenant, api: createClient({ url: location.origin, token, headers, fetch: fetchWithToken }) };
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of a successful answer. @throws ApiError for any other; errors of `fetch` unchanged */
export async function dataOf<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined || data === null) {
    throw new ApiError(response, isProblem(error) ? error : undefined);
  }
  return data;
}

/** The body of a successful answer that has none or is not needed. @throws ApiError for any other */
export async function succeed(call: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw new ApiError(response, isProblem(error) ? error : undefined);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
}
