// Another tenant, with every id of ours in every slot of every operation, learns nothing and changes nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService, TestUser } from '../../support/service.ts';
import { strayCanaries } from '../../support/database/canaries.ts';
import { fingerprint } from '../../support/database/fingerprint.ts';
import { until } from '../../support/until.ts';
import { openToolService } from '../../support/client/signed-tools.ts';
import {
  createTenantRecords,
  nonexistentIdsLike,
  type TenantRecords,
  type Kind,
  type Tenant,
} from '../../support/builders/tenant-records.ts';
import {
  findIdSlots,
  putAt,
  targetsOf,
  urlOf,
  type Request,
  type Target,
} from '../../support/builders/operation-requests.ts';

const theirTenant: Tenant = { operator: 'operator', admin: 'admin', tenantId: 'default', canary: 'seldom-seen-word' };
const ownTenant: Tenant = { operator: 'other', admin: 'otheradmin', tenantId: 'other', canary: 'our-own-word' };

let service: TestService;
let theirs: TenantRecords;
let own: TenantRecords;
/** Ids of nobody's, the same for all: what a caller names itself exists from then on, whosever it was. */
let absent: TenantRecords;
beforeAll(async () => {
  // Their leases outlast the attempts of the others.
  service = await openToolService({ config: { webhookBackoffSeconds: 0.01, leaseSeconds: 600 } });
  theirs = await createTenantRecords(service, theirTenant);
  own = await createTenantRecords(service, ownTenant);
  absent = nonexistentIdsLike(theirs);
  await settled();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Resolves when the audit has written everything about them. */
async function settled(): Promise<void> {
  await until('their audit is written', async () => {
    const left = await service.db.query(`select from audit_intents where tenant_id = $1`, [theirTenant.tenantId]);
    return left.length === 0;
  });
}

/** Runs that they created have the step that waits for a worker: the director opens it in a moment of its own. */
async function directed(): Promise<void> {
  await until('the director has looked', async () => {
    const left = await service.db.query(
      `select from ralph_runs where status in ('pending', 'running') and due_at <= clock_timestamp()`,
    );
    return left.length === 0;
  });
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string>;
}

/** Sends it; of a stream the first event is enough. */
async function send(request: Request, as: TestUser): Promise<Answer> {
  const gone = new AbortController();
  const hasBody = request.body !== undefined && request.method !== 'GET';
  const response = await fetch(`${service.url}${urlOf(request)}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${service.token(as)}`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(60_000)]),
  });
  const isStream = (response.headers.get('content-type') ?? '').includes('event-stream');
  const text = isStream ? await firstEvent(response) : await response.text();
  gone.abort();
  return { status: response.status, text, headers: Object.fromEntries(response.headers) };
}

async function firstEvent(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (/\n\n/.test(text)) break;
  }
  return text.slice(0, text.indexOf('\n\n') + 1);
}

/** Without what differs from one request to the next: ids and times that were made for it, and the id asked for. */
function plain({ status, text, headers }: Answer, requestText: string): unknown {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...kept } = headers;
  const steady = Object.entries(kept).filter(([name]) => !/^(x-)?ratelimit/.test(name) && name !== 'etag');
  const masked = text
    .replaceAll(requestText, '<asked>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    // One more with each change of the caller's own.
    .replaceAll(/"version":\d+/g, '"version":<n>')
    // A place in the log: it begins with a time too.
    .replaceAll(/\bM[\w-]{50,}/g, '<cursor>')
    .replaceAll(/\b\d{13}\.\d+\b/g, '<cursor>')
    // The place of an entry in the audit's chain.
    .replaceAll(/"seq":\d+/g, '"seq":<n>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/\\*"(prefix|key|access_token|waiting_reason)\\*":\\*"[^"\\]*\\*"/g, '"$1":"<made>"');
  return { status, headers: Object.fromEntries(steady), text: masked };
}

interface Probe {
  readonly what: string;
  readonly kind: Kind;
  readonly request: (id: string) => Request;
}

/** A request for each slot: one id in it is another's, all else is its caller's own. */
function probesOf({ what, requestOf, only }: Target): Probe[] {
  const places = findIdSlots(requestOf(own), own).filter(({ place }) => only === undefined || place[0] === only);
  return places.map(({ place, kind }) => ({
    what: `${what} at ${place.join('.')}`,
    kind,
    // Made anew each time: what was created by the last one has other ids.
    request: (id) => putAt(requestOf(own), place, id),
  }));
}

/** A tenant's name is every admin's to choose: whether it is taken they may know. choices-4. */
const allowed = (as: TestUser, { what }: Probe): boolean => as === 'otheradmin' && what.startsWith('tenants.create');

describe('another tenant with our ids', () => {
  it.each(['other', 'otheradmin'] as const)(
    'as %s learns from no answer whether they exist, and changes no row of ours [core-5.6.2, choices-3.7, core-2.11.1]',
    async (as) => {
      const before = await fingerprint(service.db, theirTenant.tenantId);
      const probes = targetsOf(service.instance)
        .flatMap(probesOf)
        .filter((probe) => !allowed(as, probe));
      const others = Object.values(theirs).filter((id) => id !== theirs.tenant);
      for (const probe of probes) {
        if (probe.kind === 'conversation') await directed();
        const [foreign, missing] = [
          await send(probe.request(theirs[probe.kind]), as),
          await send(probe.request(absent[probe.kind]), as),
        ];
        const foreignText = `${foreign.text} ${JSON.stringify(foreign.headers)}`;
        const leaked = [theirTenant.canary, ...others.filter((id) => id !== theirs[probe.kind])].filter((id) =>
          foreignText.includes(id),
        );
        expect({ what: probe.what, leaked, answer: plain(foreign, theirs[probe.kind]) }).toEqual({
          what: probe.what,
          leaked: [],
          answer: plain(missing, absent[probe.kind]),
        });
        expect([probe.what, foreign.status]).toEqual([
          probe.what,
          expect.toSatisfy((status: number) => status < 500 && status !== 429),
        ]);
      }
      expect(probes.length).toBeGreaterThan(150);
      expect(await fingerprint(service.db, theirTenant.tenantId)).toEqual(before);
      expect(await strayCanaries(service.db, { [theirTenant.tenantId]: theirTenant.canary })).toEqual([]);
    },
    300_000,
  );

  it('begins a PRD chat of its own by the id of one of ours [runs-6.1.17]', async () => {
    const before = await fingerprint(service.db, theirTenant.tenantId);
    for (const id of [theirs.prdSession, theirs.runConversation]) {
      const params = { name: 'prd_chat', arguments: { message: 'Go on.', conversation_id: id } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const reply = await service.call('POST', '/mcp/v1/rpc', { as: 'other', body });
      expect(reply.body.result.structuredContent).toMatchObject({ conversation_id: id, source: 'interview' });
      expect(JSON.stringify(reply.body)).not.toContain(theirTenant.canary);
    }
    expect(await fingerprint(service.db, theirTenant.tenantId)).toEqual(before);
  });

  it('was asked by requests that are good ones: with their callers’ own ids none is refused for its form', async () => {
    const refused: string[] = [];
    for (const { what, requestOf } of targetsOf(service.instance)) {
      const { status, text } = await send(requestOf(own), 'otheradmin');
      const isError = status >= 400 || /"error":\{"code":-32602|"isError":true/.test(text);
      if (isError && /"invalid_request"|The request is not valid/.test(text))
        refused.push(`${what}: ${status} ${text}`);
    }
    expect(refused).toEqual([]);
  });
});
