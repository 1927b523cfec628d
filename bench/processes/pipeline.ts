// Process: the overhead of every call, with the service's own modules: authentication, policy, tenant, audit intent, and
// the audit line written, linked, synced and copied to the database. No HTTP and no task.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { postgresAuditLedger } from '../../src/adapters/postgres/store/audit-ledger.ts';
import { openPool } from '../../src/adapters/postgres/connection/connections.ts';
import { postgresCrossTenantQueries } from '../../src/adapters/postgres/store/cross-tenant-queries.ts';
import { intentToJson } from '../../src/adapters/postgres/codec/audit-intents.ts';
import { localPolicy } from '../../src/domain/access/evaluate.ts';
import { configuredIdentities } from '../../src/domain/access/identity/configured-tokens.ts';
import { knownTenants } from '../../src/domain/access/tenants/known-tenants.ts';
import { CallsInFlight } from '../../src/domain/limits/calls-in-flight.ts';
import { UnreadAnswers, defaultUnreadBounds } from '../../src/domain/limits/unread-answers.ts';
import { OpenStreams } from '../../src/domain/limits/open-streams.ts';
import { systemTenantId } from '../../src/domain/model/audit-entry.ts';
import { createRequestPipeline, type RequestPipeline } from '../../src/http/pipeline/request-pipeline.ts';
import type { OperationRef, InboundRequest } from '../../src/http/pipeline/inbound-request.ts';
import { uuid7Maker } from '../../src/lib/uuid7.ts';
import { openAudit } from '../../src/server/build/audit.ts';
import { resolveAuditLocation } from '../../src/server/config/audit-location.ts';
import { login, type DatabaseLogin } from '../database.ts';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';

const openInput = z.object({ login });
const roundInput = z.object({ durationMs: z.number(), callers: z.number() });
const closing = new AsyncDisposableStack();
const token = randomBytes(24).toString('base64url');
const tenantId = 'default';

const operation: OperationRef = {
  name: 'tasks.create',
  permission: 'tasks:write',
  resource: '/v1/agent/tasks',
  changes: true,
};

async function openPipeline(address: DatabaseLogin): Promise<RequestPipeline> {
  const log = (line: string): void => void process.stderr.write(`pipeline: ${line}\n`);
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-bench-pipeline-'));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const pool = openPool({ address, role: 'a2a_app', max: 4, log });
  closing.defer(() => pool.end());
  const crossTenant = postgresCrossTenantQueries(pool);
  await crossTenant.ensureTenants([systemTenantId, tenantId]);
  const common = { makeId: uuid7Maker(Date.now, randomBytes), now: Date.now };
  const ledger = postgresAuditLedger(pool);
  const auditLocation = resolveAuditLocation(dataDir);
  const audit = closing.use(
    await openAudit({ config: { audit: auditLocation }, ledger, hostname: hostname(), log, ...common }),
  );
  const principal = { name: 'bench', token, role: 'operator', tenantId, credential: 'shared_token' } as const;
  return createRequestPipeline({
    ...common,
    identities: configuredIdentities([principal], () => Promise.reject(new Error('no other credential comes here'))),
    policy: localPolicy,
    tenants: knownTenants(crossTenant, Date.now),
    trail: audit.trail,
    inFlight: new CallsInFlight({ ofSubject: 1_000, ofTenant: 1_000, ofAll: 1_000 }),
    streams: new OpenStreams(1_000),
    unread: new UnreadAnswers(defaultUnreadBounds),
    callLimit: { spend: () => Promise.reject(new Error('these calls are not counted')) },
  });
}

async function callPipeline(pipeline: RequestPipeline): Promise<void> {
  const inboundRequest: InboundRequest = {
    authorization: [`Bearer ${token}`],
    tenants: [],
    address: '127.0.0.1',
    requestId: '0199f0a0-0000-7000-8000-000000000000',
  };
  const admission = await pipeline.authenticate(inboundRequest, { admission: undefined });
  const call = await admission.begin(operation);
  const { intent } = call.caller;
  if (intent === undefined) throw new Error('a change has an intent');
  JSON.stringify(intentToJson(intent, inboundRequest.requestId));
  await call.succeeded();
}

let pipeline: RequestPipeline | undefined;

serveCommands(
  {
    async open(input) {
      pipeline = await openPipeline(openInput.parse(input).login);
      return {};
    },
    round(input) {
      const { durationMs, callers } = roundInput.parse(input);
      const opened = pipeline;
      if (opened === undefined) throw new Error('the request pipeline is not open');
      return drive(callers, durationMs, () => callPipeline(opened));
    },
  },
  () => closing.disposeAsync(),
);
