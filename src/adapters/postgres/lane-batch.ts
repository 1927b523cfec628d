// One batch of a group commit: calls by tenant and kind, as a request, and the answers back to their calls.
import type { LaneAnswers, LaneKind, LaneRows } from './lane-rows.ts';

/** One call, waiting for its commit. */
export interface EntryOf<K extends LaneKind> {
  readonly tenantId: string;
  readonly kind: K;
  readonly row: LaneRows[K];
  /** The task it is about, where it is about one: never twice in a commit. */
  readonly taskId: string | undefined;
  /** Characters of content. */
  readonly weight: number;
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

export interface Group {
  readonly tenantId: string;
  readonly entries: { readonly [K in LaneKind]: EntryOf<K>[] };
}
export type GroupRequest = { readonly tenant: string } & { readonly [K in LaneKind]?: readonly LaneRows[K][] };
export type GroupAnswer = { readonly [K in LaneKind]?: readonly LaneAnswers[K][] };

/** By tenant, in tenant order: two replicas lock tenants' rows in the same order. */
export function groupsOf(batch: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of batch) {
    let group = groups.get(entry.tenantId);
    if (group === undefined) {
      group = { tenantId: entry.tenantId, entries: { submit: [], report: [], finish: [], claim: [] } };
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
  else entries.claim.push(entry);
}

export function requestOf({ tenantId, entries }: Group, extras: readonly ExtraClaim[]): GroupRequest {
  const claims = [...entries.claim, ...extras];
  return {
    tenant: tenantId,
    ...(entries.submit.length === 0 ? {} : { submit: entries.submit.map((entry) => entry.row) }),
    ...(entries.report.length === 0 ? {} : { report: entries.report.map((entry) => entry.row) }),
    ...(entries.finish.length === 0 ? {} : { finish: entries.finish.map((entry) => entry.row) }),
    ...(claims.length === 0 ? {} : { claim: claims.map((entry) => entry.row) }),
  };
}

/**
 * Brings each call its answer. Claims are answered in order, the others name their task. Claims come first: who
 * waits for a submit finds its task's worker chosen.
 */
export function settleGroup(group: Group, extras: readonly ExtraClaim[], answer: GroupAnswer | undefined): void {
  const { submit, report, finish, claim } = group.entries;
  const claims = answer?.claim ?? [];
  extras.forEach((extra, i) => extra.settle(claims[claim.length + i]));
  claim.forEach((entry, i) => entry.resolve(claims[i] ?? null));
  settleByTask(submit, answer?.submit ?? [], (row) => row.id);
  settleByTask(report, answer?.report ?? [], (row) => row.task_id);
  settleByTask(finish, answer?.finish ?? [], (row) => row.task_id);
}

function settleByTask<K extends 'submit' | 'report' | 'finish'>(
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
