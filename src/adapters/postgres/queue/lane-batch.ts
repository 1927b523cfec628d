// One batch of a group commit: calls by tenant and kind, as a request, and the answers back to their calls.
import { randomUUID } from 'node:crypto';
import type { AuditIntent } from '../../../domain/model/audit-entry.ts';
import type { RideAnswer, RideRequest } from '../codec/delivery-json.ts';
import { intentJson, type IntentJson } from '../codec/intents.ts';
import { isoTime } from '../codec/task-json.ts';
import type { LaneAnswers, LaneKind, LaneRows, RouteRow } from './lane-rows.ts';

/** One call, waiting for its commit. */
export interface EntryOf<K extends LaneKind> {
  readonly tenantId: string;
  readonly kind: K;
  readonly row: LaneRows[K];
  /** The task it is about, where it is about one: never twice in a commit. */
  readonly taskId: string | undefined;
  /** Characters of content. */
  readonly weight: number;
  /** What the audit will say of it. */
  readonly intent: AuditIntent | undefined;
  readonly resolve: (answer: LaneAnswers[K]) => void;
  readonly reject: (error: unknown) => void;
}
export type Entry = { [K in LaneKind]: EntryOf<K> }[LaneKind];

/** A claim that rides along with a commit. */
export interface ExtraClaim {
  readonly row: LaneRows['claim'];
  /** Called after the commit with the claim's answer, or with undefined when the commit failed. */
  readonly settle: (answer: LaneAnswers['claim'] | undefined) => void;
}

/** What of deliveries rides along with a commit. */
export interface ExtraRide {
  readonly request: RideRequest;
  /** Called after the commit, with undefined when it failed. */
  readonly settle: (answer: RideAnswer | undefined) => void;
}

export interface Extras {
  readonly claims: readonly ExtraClaim[];
  readonly ride: ExtraRide | undefined;
}

export interface Group {
  readonly tenantId: string;
  readonly entries: { readonly [K in LaneKind]: EntryOf<K>[] };
}
export type GroupRequest = {
  readonly tenant: string;
  /** What the submits ask of workers, each distinct combination once. */
  readonly routes?: readonly RouteRow[];
  readonly intents?: IntentsRow;
} & RideRequest & { readonly [K in LaneKind]?: readonly LaneRows[K][] };
/** The row of audit_intents that all calls of a group share. */
interface IntentsRow {
  readonly id: string;
  readonly chain: string;
}
/** What a group asks for, and its intents: a JSON array in one line, which is stored as it is. */
interface EncodedGroup {
  readonly request: GroupRequest;
  readonly intents: string | undefined;
}
export type GroupAnswer = {
  readonly [K in Exclude<LaneKind, 'submit' | 'beat'>]?: readonly LaneAnswers[K][];
} & {
  /** Those that were not taken, or have tasks waiting for them, by their place in the request. */
  readonly beat?: readonly (LaneAnswers['beat'] & { readonly n: number })[];
  /** All were created at `at`, but the others, by task. */
  readonly submit?: { readonly at: string; readonly others: Readonly<Record<string, LaneAnswers['submit']>> };
} & RideAnswer;

/** By tenant, in tenant order: two replicas lock tenants' rows in the same order. */
export function groupsOf(batch: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of batch) {
    let group = groups.get(entry.tenantId);
    if (group === undefined) {
      group = { tenantId: entry.tenantId, entries: { submit: [], report: [], finish: [], claim: [], beat: [] } };
      groups.set(entry.tenantId, group);
    }
    add(group, entry);
  }
  return [...groups.values()].toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}

function add({ entries }: Group, entry: Entry): void {
  if (entry.kind === 'submit') entries.submit.push(entry);
  else if (entry.kind === 'report') entries.report.push(entry);
  else if (entry.kind === 'finish') entries.finish.push(entry);
  else if (entry.kind === 'claim') entries.claim.push(entry);
  else entries.beat.push(entry);
}

/** A tenant's share of a commit in the words of `queue_flush`. */
export function encodeGroup({ tenantId, entries }: Group, { claims: extras, ride }: Extras): EncodedGroup {
  const claims = [...entries.claim, ...extras];
  const intents = intentsOf(tenantId, entries);
  const request = {
    tenant: tenantId,
    ...(entries.submit.length === 0 ? {} : submitsOf(entries.submit)),
    ...(entries.report.length === 0 ? {} : { report: entries.report.map((entry) => entry.row) }),
    ...(entries.finish.length === 0 ? {} : { finish: entries.finish.map((entry) => entry.row) }),
    ...(entries.beat.length === 0 ? {} : { beat: entries.beat.map((entry) => entry.row) }),
    ...(claims.length === 0 ? {} : { claim: claims.map((entry) => entry.row) }),
    ...(intents === undefined ? {} : { intents: intents.row }),
    ...ride?.request,
  };
  return { request, intents: intents?.text };
}

function intentsOf(
  tenantId: string,
  entries: Group['entries'],
): { readonly row: IntentsRow; readonly text: string } | undefined {
  const stored: IntentJson[] = [];
  const row = { tenantId, id: randomUUID(), left: 0 };
  let chain = '';
  for (const lane of [entries.submit, entries.report, entries.finish, entries.claim, entries.beat]) {
    for (const { intent, taskId } of lane) {
      if (intent === undefined) continue;
      stored.push(intentJson(intent, taskId));
      intent.trace.rows.push(row);
      row.left += 1;
      chain = intent.chain;
    }
  }
  return stored.length === 0 ? undefined : { row: { id: row.id, chain }, text: JSON.stringify(stored) };
}

/** In the order of their ids: two replicas lock routes in the same order. */
function submitsOf(entries: readonly EntryOf<'submit'>[]): Pick<GroupRequest, 'routes' | 'submit'> {
  const routes = new Map<string, RouteRow>();
  for (const { row } of entries) if (!routes.has(row.route_id)) routes.set(row.route_id, routeOf(row));
  return {
    routes: [...routes.values()].toSorted((a, b) => (a.route_id < b.route_id ? -1 : 1)),
    submit: entries.map((entry) => entry.row),
  };
}

function routeOf({ route_id, codebase_id, required_capabilities, target_agent, target_worker_id }: RouteRow): RouteRow {
  return { route_id, codebase_id, required_capabilities, target_agent, target_worker_id };
}

/**
 * Brings each call its answer. Claims are answered in order, beats by their place, the others name their task. Claims
 * come first: who waits for a submit finds its task's worker chosen.
 */
export function settleGroup(group: Group, { claims: extras, ride }: Extras, answer: GroupAnswer | undefined): void {
  const { submit, report, finish, claim, beat } = group.entries;
  const claims = answer?.claim ?? [];
  extras.forEach((extra, i) => extra.settle(claims[claim.length + i]));
  claim.forEach((entry, i) => entry.resolve(claims[i] ?? null));
  settleSubmits(submit, answer?.submit);
  settleByTask(report, answer?.report ?? [], (row) => row.task_id);
  settleByTask(finish, answer?.finish ?? [], (row) => row.task_id);
  settleBeats(beat, answer?.beat);
  ride?.settle(answer);
}

function settleSubmits(entries: readonly EntryOf<'submit'>[], answer: GroupAnswer['submit']): void {
  // The same moment for all that were created: it is read once.
  const created = answer && { verdict: 'created' as const, created_at: isoTime(answer.at) };
  for (const entry of entries) {
    if (created === undefined) entry.reject(new Error('the database did not answer a submit'));
    else entry.resolve(answer?.others[entry.row.id] ?? created);
  }
}

function settleBeats(entries: readonly EntryOf<'beat'>[], others: GroupAnswer['beat']): void {
  const byPlace = new Map(others?.map((other) => [other.n, other]));
  entries.forEach((entry, n) => {
    if (others === undefined) entry.reject(new Error('the database did not answer a beat'));
    else entry.resolve(byPlace.get(n) ?? { verdict: 'taken' });
  });
}

function settleByTask<K extends 'report' | 'finish'>(
  entries: readonly EntryOf<K>[],
  answers: readonly LaneAnswers[K][],
  taskOf: (row: LaneAnswers[K]) => string,
): void {
  if (entries.length === 0) return;
  const byTask = new Map(answers.map((row) => [taskOf(row), row]));
  for (const entry of entries) {
    const row = byTask.get(entry.taskId ?? '');
    if (row === undefined) entry.reject(new Error(`the database did not answer a ${entry.kind}`));
    else entry.resolve(row);
  }
}
