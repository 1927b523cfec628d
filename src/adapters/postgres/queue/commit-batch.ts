// One batch of a group commit: groups the calls by tenant and kind, encodes the request, and settles the calls.
import { randomUUID } from 'node:crypto';
import type { AuditIntent } from '../../../domain/model/audit-entry.ts';
import type {
  CommitBatch,
  CommitClaim,
  CommitWork,
  SubmittedNeeds,
} from '../../../domain/ports/store/commit-participant.ts';
import type { Assignment } from '../../../domain/model/task/task.ts';
import {
  deliveryResultFromJson,
  deliveryWorkToJson,
  type DeliveryWorkAnswer,
  type DeliveryWorkRequest,
} from '../codec/delivery-json.ts';
import { intentToJson, type IntentJson } from '../codec/audit-intents.ts';
import { assignmentFromRow, isoTime } from '../codec/task-json.ts';
import { distinctRoutes, type RouteRow, type SubmitRow } from '../codec/submission-row.ts';
import type { CommitAnswers, CallKind, CommitRows } from './commit-rows.ts';

/** A call that waits for its commit. */
export interface PendingCallOf<K extends CallKind> {
  readonly tenantId: string;
  readonly kind: K;
  readonly row: CommitRows[K];
  /** The task of the call, if it has one: a commit has each task at most once. */
  readonly taskId: string | undefined;
  /** Characters of content. */
  readonly weight: number;
  /** The audit intent of the call. */
  readonly intent: AuditIntent | undefined;
  readonly resolve: (answer: CommitAnswers[K]) => void;
  readonly reject: (error: unknown) => void;
}
export type PendingCall = { [K in CallKind]: PendingCallOf<K> }[CallKind];

/** A tenant's calls in one commit, as the participants see them too. */
export class Group implements CommitBatch {
  readonly tenantId: string;
  readonly entries: { readonly [K in CallKind]: PendingCallOf<K>[] } = {
    submit: [],
    report: [],
    finish: [],
    claim: [],
    heartbeat: [],
  };

  constructor(tenantId: string) {
    this.tenantId = tenantId;
  }

  get hasSubmits(): boolean {
    return this.entries.submit.length > 0;
  }

  get endsTasks(): boolean {
    return this.entries.finish.length > 0;
  }

  submittedNeeds(): SubmittedNeeds[] {
    return this.entries.submit.map(({ row }) => needsOf(row));
  }

  endedLeases(): string[] {
    return this.entries.finish.map(({ row }) => row.lease_token);
  }
}

function needsOf(row: SubmitRow): SubmittedNeeds {
  return {
    taskId: row.id,
    codebaseId: row.codebase_id ?? null,
    requiredCapabilities: row.required_capabilities ?? [],
    targetAgent: row.target_agent ?? null,
    targetWorkerId: row.target_worker_id ?? null,
  };
}

export type GroupRequest = {
  readonly tenant: string;
  /** The distinct routes of the submits. */
  readonly routes?: readonly RouteRow[];
  readonly intents?: IntentsRow;
} & DeliveryWorkRequest & { readonly [K in CallKind]?: readonly CommitRows[K][] };
/** The row of audit_intents that all calls of a group share. */
interface IntentsRow {
  readonly id: string;
  readonly chain: string;
}
/** The request of a group, and its audit intents: a JSON array in one line, which is stored as it is. */
interface EncodedGroup {
  readonly request: GroupRequest;
  readonly intents: string | undefined;
}
export type GroupAnswer = {
  readonly [K in Exclude<CallKind, 'submit' | 'heartbeat'>]?: readonly CommitAnswers[K][];
} & {
  /** Rejected heartbeats, and those whose worker has waiting tasks, by their place in the request. */
  readonly heartbeat?: readonly (CommitAnswers['heartbeat'] & { readonly n: number })[];
  /** All submits were created at `at`, except `others`, by task. */
  readonly submit?: { readonly at: string; readonly others: Readonly<Record<string, CommitAnswers['submit']>> };
} & DeliveryWorkAnswer;

/** Groups are in tenant order, so that two replicas lock rows in the same order. */
export function groupByTenant(batch: readonly PendingCall[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of batch) {
    let group = groups.get(entry.tenantId);
    if (group === undefined) {
      group = new Group(entry.tenantId);
      groups.set(entry.tenantId, group);
    }
    addToGroup(group, entry);
  }
  return [...groups.values()].toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}

function addToGroup({ entries }: Group, entry: PendingCall): void {
  if (entry.kind === 'submit') entries.submit.push(entry);
  else if (entry.kind === 'report') entries.report.push(entry);
  else if (entry.kind === 'finish') entries.finish.push(entry);
  else if (entry.kind === 'claim') entries.claim.push(entry);
  else entries.heartbeat.push(entry);
}

/** A group of a commit as `queue_flush` expects it. */
export function encodeGroup({ tenantId, entries }: Group, works: readonly CommitWork[]): EncodedGroup {
  const claims = entries.claim.map((entry) => entry.row);
  let deliveries: DeliveryWorkRequest | undefined;
  for (const work of works) {
    if (work.claims !== undefined) claims.push(...work.claims.map(toClaimRow));
    if (work.deliveries !== undefined) deliveries = deliveryWorkToJson(work.deliveries);
  }
  const intents = collectIntents(tenantId, entries);
  const request = {
    tenant: tenantId,
    ...(entries.submit.length === 0 ? {} : submitsWithRoutes(entries.submit)),
    ...(entries.report.length === 0 ? {} : { report: entries.report.map((entry) => entry.row) }),
    ...(entries.finish.length === 0 ? {} : { finish: entries.finish.map((entry) => entry.row) }),
    ...(entries.heartbeat.length === 0 ? {} : { heartbeat: entries.heartbeat.map((entry) => entry.row) }),
    ...(claims.length === 0 ? {} : { claim: claims }),
    ...(intents === undefined ? {} : { intents: intents.row }),
    ...deliveries,
  };
  return { request, intents: intents?.text };
}

function toClaimRow({ workerId, limit }: CommitClaim): CommitRows['claim'] {
  return { worker_id: workerId, limit };
}

function collectIntents(
  tenantId: string,
  entries: Group['entries'],
): { readonly row: IntentsRow; readonly text: string } | undefined {
  const stored: IntentJson[] = [];
  const row = { tenantId, id: randomUUID(), pending: 0 };
  let chain = '';
  for (const calls of [entries.submit, entries.report, entries.finish, entries.claim, entries.heartbeat]) {
    for (const { intent, taskId } of calls) {
      if (intent === undefined) continue;
      stored.push(intentToJson(intent, taskId));
      intent.trace.rows.push(row);
      row.pending += 1;
      chain = intent.chain;
    }
  }
  return stored.length === 0 ? undefined : { row: { id: row.id, chain }, text: JSON.stringify(stored) };
}

function submitsWithRoutes(entries: readonly PendingCallOf<'submit'>[]): Pick<GroupRequest, 'routes' | 'submit'> {
  const submit = entries.map((entry) => entry.row);
  return { routes: distinctRoutes(submit), submit };
}

/**
 * Settles each call with its result. Results of claims are in request order, results of heartbeats have a place, the
 * others name their task. Participants are settled first, so that the worker of a submitted task is known when the submit
 * resolves.
 */
export function settleGroup(group: Group, works: readonly CommitWork[], answer: GroupAnswer | undefined): void {
  const { submit, report, finish, claim, heartbeat } = group.entries;
  const claims = answer?.claim ?? [];
  settleWorks(works, answer, claim.length);
  claim.forEach((entry, i) => entry.resolve(claims[i] ?? null));
  settleSubmits(submit, answer?.submit);
  settleByTask(report, answer?.report ?? [], (row) => row.task_id);
  settleByTask(finish, answer?.finish ?? [], (row) => row.task_id);
  settleHeartbeats(heartbeat, answer?.heartbeat);
}

/** @param ownClaims the group's own claims, which the request has before those of its participants */
function settleWorks(works: readonly CommitWork[], answer: GroupAnswer | undefined, ownClaims: number): void {
  let next = ownClaims;
  for (const work of works) {
    const from = next;
    next += work.claims?.length ?? 0;
    if (answer === undefined) {
      work.failed();
      continue;
    }
    work.committed({
      claims: work.claims?.map((_, i) => assignmentsOf(answer.claim?.[from + i]) ?? []) ?? [],
      deliveries: work.deliveries === undefined ? noDeliveries : deliveryResultFromJson(answer),
    });
  }
}

const noDeliveries = deliveryResultFromJson({});

/** The result of queue_claim: assignments, or null for an unknown worker. */
export function assignmentsOf(answer: CommitAnswers['claim'] | undefined): Assignment[] | undefined {
  return answer?.map(assignmentFromRow);
}

function settleSubmits(entries: readonly PendingCallOf<'submit'>[], answer: GroupAnswer['submit']): void {
  // All created tasks share one time: it is parsed once.
  const created = answer && { verdict: 'created' as const, created_at: isoTime(answer.at) };
  for (const entry of entries) {
    if (created === undefined) entry.reject(new Error('the database returned no result for a submit'));
    else entry.resolve(answer?.others[entry.row.id] ?? created);
  }
}

function settleHeartbeats(entries: readonly PendingCallOf<'heartbeat'>[], others: GroupAnswer['heartbeat']): void {
  const byPlace = new Map(others?.map((other) => [other.n, other]));
  entries.forEach((entry, n) => {
    if (others === undefined) entry.reject(new Error('the database returned no result for a heartbeat'));
    else entry.resolve(byPlace.get(n) ?? { verdict: 'taken' });
  });
}

function settleByTask<K extends 'report' | 'finish'>(
  entries: readonly PendingCallOf<K>[],
  answers: readonly CommitAnswers[K][],
  taskOf: (row: CommitAnswers[K]) => string,
): void {
  if (entries.length === 0) return;
  const byTask = new Map(answers.map((row) => [taskOf(row), row]));
  for (const entry of entries) {
    const row = byTask.get(entry.taskId ?? '');
    if (row === undefined) entry.reject(new Error(`the database returned no result for a ${entry.kind}`));
    else entry.resolve(row);
  }
}
