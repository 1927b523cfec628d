// A request pipeline for tests of endpoints without a service: configured tokens, the local policy.
import { randomBytes, randomUUID } from 'node:crypto';
import { localPolicy } from '../../src/domain/access/evaluate.ts';
import { configuredIdentities, type ConfiguredToken } from '../../src/domain/access/identity/configured-tokens.ts';
import { loopAudit } from '../../src/domain/audit/loop-audit.ts';
import type { AuditEntry } from '../../src/domain/model/audit-entry.ts';
import type { AuditTrail, LoopAudit } from '../../src/domain/ports/audit.ts';
import { CallsInFlight } from '../../src/domain/limits/calls-in-flight.ts';
import { OpenStreams } from '../../src/domain/limits/open-streams.ts';
import { UnreadAnswers, defaultUnreadBounds } from '../../src/domain/limits/unread-answers.ts';
import {
  createRequestPipeline,
  type RequestPipeline,
  type RequestPipelineDeps,
} from '../../src/http/pipeline/request-pipeline.ts';
import { Admission, type AdmissionDeps } from '../../src/http/pipeline/admission.ts';
import type { AuditedCall } from '../../src/http/pipeline/audited-call.ts';
import type { InboundRequest, OperationRef } from '../../src/http/pipeline/inbound-request.ts';
import type { Caller } from '../../src/domain/model/access/caller.ts';
import { uuid7Maker } from '../../src/lib/uuid7.ts';

/** Keeps nothing. */
export const noTrail: AuditTrail = {
  chain: 'none',
  mustBeWritable: () => {},
  record: () => Promise.resolve(),
  note: () => {},
  discard: () => {},
  recordRefusal: () => {},
};

/** The audit of loops, whose entries are dropped. */
export const noLoopAudit = loopAudit({ trail: noTrail, makeId: uuid7Maker(Date.now, randomBytes), now: Date.now });

/** The audit of loops, which adds tenant, action and metadata of each entry to `entries`. */
export function collectLoopAudit(entries: unknown[]): LoopAudit {
  const record = ({ tenantId, action, metadata }: AuditEntry): Promise<void> =>
    Promise.resolve(void entries.push([tenantId, action, metadata]));
  return loopAudit({ trail: { ...noTrail, record }, makeId: uuid7Maker(Date.now, randomBytes), now: Date.now });
}

/** @param changed what a test has otherwise than usual */
export function openTestPipeline(
  tokens: readonly ConfiguredToken[],
  changed: Partial<RequestPipelineDeps> = {},
): RequestPipeline {
  return createRequestPipeline({ identities: configuredIdentities(tokens), ...admissionDeps, ...changed });
}

/** Begins calls of given callers, without authentication. */
export function openTestAdmissions(changed: Partial<AdmissionDeps> = {}) {
  const deps = { ...admissionDeps, ...changed };
  return {
    begin: (caller: Caller, request: InboundRequest, operation: OperationRef): Promise<AuditedCall> =>
      new Admission(deps, caller, request).begin(operation),
  };
}

const admissionDeps: AdmissionDeps = {
  policy: localPolicy,
  tenants: { has: () => Promise.resolve(false) },
  trail: noTrail,
  inFlight: new CallsInFlight({ ofSubject: 10_000, ofTenant: 10_000, ofAll: 10_000 }),
  streams: new OpenStreams(10_000),
  unread: new UnreadAnswers(defaultUnreadBounds),
  callLimit: { spend: () => Promise.reject(new Error('nothing here is counted')) },
  makeId: randomUUID,
  now: Date.now,
};

export function requestWithToken(token: string): InboundRequest {
  return { authorization: [`Bearer ${token}`], tenants: [], address: '127.0.0.1', requestId: 'r' };
}
