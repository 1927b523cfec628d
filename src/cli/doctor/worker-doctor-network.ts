// Checks of `worker doctor` over the network: the service, its clock, the credential, the broker.
import { performance } from 'node:perf_hooks';
import { me } from '../../contracts/auth.ts';
import { health } from '../../contracts/monitor.ts';
import { RedisConnection, redactRedisUrl } from '../../adapters/redis/connection.ts';
import { createWorkerClient } from '../../worker/service/client.ts';
import { describeError, ServiceRefusal } from '../../worker/base/service-error.ts';
import type { WorkerSettings } from '../../worker/settings/settings.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';
import type { CliIo } from '../core/io.ts';

const deadlineMs = 10_000;
const largestSkewMs = 5_000;
/** An id that no worker has. The service answers 404 to an authorised caller and 403 to others, and changes nothing. */
const noWorker = '00000000-0000-7000-8000-000000000000';

function urlUnder(serverUrl: string, path: string): URL {
  return new URL(path, serverUrl.endsWith('/') ? serverUrl : `${serverUrl}/`);
}

/** Checks the service, its version and its clock, and whether the token has a worker's permissions. */
export async function checkService(io: CliIo, settings: WorkerSettings): Promise<Check[]> {
  const { serverUrl } = settings;
  const requestedMs = io.now();
  const remedy = 'Check that it runs, and that the address is right (server_url, A2A_SERVER_URL).';
  try {
    const response = await io.fetch(urlUnder(serverUrl, 'health'), { signal: AbortSignal.timeout(deadlineMs) });
    const clock = clockCheck(response.headers.get('date'), (requestedMs + io.now()) / 2);
    const answer = health.safeParse(await response.json().catch(() => undefined));
    if (!answer.success) return [fail('service', `${serverUrl} answers, but is not a Switchyard service`, remedy)];
    const found = `${serverUrl}, version ${answer.data.version}, ${answer.data.status}`;
    const state = answer.data.status === 'ok' ? ok('service', found) : warn('service', found, 'See its log.');
    return [state, ...clock, await checkCredential(io, settings)];
  } catch (error) {
    return [fail('service', `${serverUrl} cannot be reached: ${describeError(error)}`, remedy)];
  }
}

function clockCheck(date: string | null, nowMs: number): Check[] {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return [];
  // The header has whole seconds: on average half a second is cut off.
  const aheadMs = Math.round(nowMs - serverMs - 500);
  const offset = `${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(aheadMs) <= largestSkewMs) return [ok('clock', offset)];
  return [
    warn('clock', offset, 'Synchronise the clocks with NTP. Leases are not affected, but times in logs will differ.'),
  ];
}

async function checkCredential(io: CliIo, { serverUrl, token }: WorkerSettings): Promise<Check> {
  const options = { serverUrl, token, fetch: io.fetch, userAgent: `switchyard-doctor/${io.version}` };
  const client = createWorkerClient(options);
  const signal = AbortSignal.timeout(deadlineMs);
  const attempts = [
    { permission: 'workers:write', refusal: await tryCall(client.heartbeat(noWorker, {}, signal)) },
    { permission: 'tasks:execute', refusal: await tryCall(client.claim({ worker_id: noWorker, limit: 1 }, signal)) },
  ];
  const identity = await whoAmI(io, serverUrl, token);
  if (attempts.some(({ refusal }) => refusal === 401)) {
    return fail('token', 'the service does not accept it', 'Set another (token, SWITCHYARD_TOKEN, or token_file).');
  }
  const missing = attempts.filter(({ refusal }) => refusal === 403).map(({ permission }) => permission);
  if (missing.length > 0) {
    return fail('token', `${identity} lacks ${missing.join(' and ')}`, 'A worker needs a token with the role agent.');
  }
  const unexpected = attempts.find(({ refusal }) => refusal !== 404);
  if (unexpected !== undefined)
    return warn('token', `could not be checked (${String(unexpected.refusal)})`, 'Try again later.');
  return ok('token', identity);
}

/** The status of an error response, or the text of another failure; undefined when the call succeeded. */
async function tryCall(call: Promise<unknown>): Promise<number | string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return error instanceof ServiceRefusal ? error.status : describeError(error);
  }
}

async function whoAmI(io: CliIo, serverUrl: string, token: string): Promise<string> {
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await io.fetch(urlUnder(serverUrl, 'v1/auth/me'), { headers, redirect: 'manual', signal });
    const { name, roles, tenant_id: tenant } = me.parse(await response.json());
    return `${name}, ${roles.join(' and ')} of the tenant ${tenant}`;
  } catch {
    return 'its owner';
  }
}

/** Checks whether the configured broker accepts a connection. */
export async function checkBroker(url: string): Promise<Check> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  await using _connection = new RedisConnection({
    url,
    random: Math.random,
    elapsedMs: () => performance.now(),
    onUp: () => resolve(undefined),
    onDown: resolve,
  });
  const why = await promise;
  const brokerUrl = redactRedisUrl(url);
  if (why === undefined) return ok('broker', brokerUrl);
  return warn('broker', `${brokerUrl}: ${why}`, 'Without it tasks arrive by push and polling, slightly later.');
}
