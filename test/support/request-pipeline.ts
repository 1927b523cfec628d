// A hallway of its own, for tests of doors without a house around them: configured tokens, the local policy.
import { randomBytes, randomUUID } from 'node:crypto';
import { localPolicy } from '../../src/domain/access/evaluate.ts';
import { configuredIdentities, type ConfiguredToken } from '../../src/domain/access/identity/configured-tokens.ts';
import { loopAudit } from '../../src/domain/audit/loop-audit.ts';
import type { AuditTrail } from '../../src/domain/ports/audit.ts';
import { CallsInFlight } from '../../src/domain/limits/calls-in-flight.ts';
import { OpenStreams } from '../../src/domain/limits/open-streams.ts';
import { UnreadAnswers, defaultUnreadBounds } from '../../src/domain/limits/unread-answers.ts';
import {
  createRequestPipeline,
  type RequestPipeline,
  type RequestPipelineDeps,
} from '../../src/http/pipeline/request-pipeline.ts';
import { uuid7Maker } from '../../src/lib/uuid7.ts';
import type { InboundRequest } from '../../src/http/pipeline/inbound-request.ts';

/** Keeps nothing. */
export const noTrail: AuditTrail = {
  chain: 'none',
  mustBeWritable: () => {},
  record: () => Promise.resolve(),
  note: () => {},
  discard: () => {},
  recordRefusal: () => {},
};

/** Loops that nobody listens to. */
export const noLoopAudit = loopAudit({ trail: noTrail, makeId: uuid7Maker(Date.now, randomBytes), now: Date.now });

/** @param changed what a test has otherwise than usual */
export function openTestPipeline(
  tokens: readonly ConfiguredToken[],
  changed: Partial<RequestPipelineDeps> = {},
): RequestPipeline {
  const identities = configuredIdentities(tokens);
  const tenants = { has: () => Promise.resolve(false) };
  return createRequestPipeline({
    identities,
    policy: localPolicy,
    tenants,
    trail: noTrail,
    inFlight: new CallsInFlight({ ofSubject: 10_000, ofTenant: 10_000, ofAll: 10_000 }),
    streams: new OpenStreams(10_000),
    unread: new UnreadAnswers(defaultUnreadBounds),
    callLimit: { spend: () => Promise.reject(new Error('nothing here is counted')) },
    makeId: randomUUID,
    now: Date.now,
    ...changed,
  });
}

export function requestWithToken(token: string): InboundRequest {
  return { authorization: [`Bearer ${token}`], tenants: [], address: '127.0.0.1', requestId: 'r' };
}
