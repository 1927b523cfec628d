// Group commit: calls that arrive while a commit runs share the next one.
//
// A few connections each commit the calls that have gathered while the last commit ran. No timer delays a commit to gather
// more calls, so a lone call waits for one commit only; under load a commit has many calls. A promise settles only after
// its COMMIT. Measured against one statement per call: 5–12 times the throughput.
// One connection normally does all the work, because two would halve the batches (measured: 15 % more CPU for a submit).
// The others are used while a commit is slow, for example one with large artifacts, so that small calls pass it.
import type pg from 'pg';
import type { AuditIntent } from '../../../domain/model/audit-entry.ts';
import type { CommitParticipant, CommitWork } from '../../../domain/ports/store/commit-participant.ts';
import {
  groupByTenant,
  encodeGroup,
  settleGroup,
  type PendingCall,
  type PendingCallOf,
  type Group,
  type GroupAnswer,
} from './commit-batch.ts';
import type { CommitAnswers, CallKind, CommitRows } from './commit-rows.ts';
import { isConflict, isUnreachable, translated } from '../connection/pg-errors.ts';

export interface GroupCommitterOptions {
  readonly pool: pg.Pool;
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly connections: number;
  readonly leaseSeconds: number;
  readonly idempotencyHours: number;
}

const maxBatch = 256;
/** Characters of content in one commit: a batch of large artifacts must not delay small calls for long. */
const maxWeight = 4_000_000;
/** Milliseconds after which a commit is slow: later calls use the next connection. */
const slowCommitMs = 15;

/**
 * The most turns of the event loop that a commit waits while each turn adds calls. Calls that are just being read from other
 * connections then share the commit (measured: a tenth less CPU for a submit, a fifth of the database's). A lone call
 * waits one turn.
 */
const maxTurns = 8;

const noWorks: readonly CommitWork[] = [];

export class GroupCommitter {
  readonly #options: GroupCommitterOptions;
  readonly #waiting = new Map<string, PendingCall[]>();
  /** In the order in which they prepare their work; undefined until `start`. */
  #participants: readonly CommitParticipant[] | undefined;
  #count = 0;
  #scheduled = false;
  #delayTimer: NodeJS.Timeout | undefined;
  /** Start times of the running commits, oldest first: one per connection in use. */
  readonly #running: { readonly at: number }[] = [];

  constructor(options: GroupCommitterOptions) {
    this.#options = options;
  }

  /** @throws Error at a second call */
  start(participants: readonly CommitParticipant[]): void {
    if (this.#participants !== undefined) throw new Error('the queue has its participants already');
    this.#participants = participants;
  }

  /** Adds a call to the next commit. Settles after it; rejects with the domain's error. */
  run<K extends CallKind>(
    tenantId: string,
    kind: K,
    row: CommitRows[K],
    about: { taskId?: string; weight: number; intent: AuditIntent | undefined },
  ): Promise<CommitAnswers[K]> {
    return new Promise((resolve, reject) => {
      if (this.#participants === undefined) throw new Error('the queue has no participants yet: start it first');
      const entry: PendingCallOf<K> = { tenantId, kind, row, ...about, taskId: about.taskId, resolve, reject };
      const queue = this.#waiting.get(tenantId) ?? [];
      // An entry of one kind is a member of the union; the type checker cannot derive that for a type parameter.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      queue.push(entry as unknown as PendingCall);
      this.#waiting.set(tenantId, queue);
      this.#count += 1;
      this.#schedule();
    });
  }

  /** Starts no commit in this turn of the event loop, so that calls which arrived together share one. */
  #schedule(): void {
    if (this.#scheduled || !this.#canFlush) return;
    const waitMs = this.#untilNextConnectionMs();
    if (waitMs > 0) {
      this.#scheduleAfter(waitMs);
      return;
    }
    this.#scheduled = true;
    this.#begin(this.#count, 1);
  }

  /**
   * Starts a commit once a turn of the event loop has added no call, or after `maxTurns`.
   * @param seen waiting calls at the begin of the turn
   */
  #begin(seen: number, turn: number): void {
    setImmediate(() => {
      if (this.#count > seen && turn < maxTurns) {
        this.#begin(this.#count, turn + 1);
        return;
      }
      this.#scheduled = false;
      if (!this.#canFlush) return;
      const started = { at: this.#options.elapsedMs() };
      this.#running.push(started);
      // Owned here: #flush settles every entry and never rejects.
      void this.#flush(this.#gather()).finally(() => {
        this.#running.splice(this.#running.indexOf(started), 1);
        this.#schedule();
      });
      this.#schedule();
    });
  }

  /** For a slow commit during which no other call arrives. */
  #scheduleAfter(waitMs: number): void {
    if (this.#delayTimer !== undefined) return;
    this.#delayTimer = setTimeout(() => {
      this.#delayTimer = undefined;
      this.#schedule();
    }, waitMs);
  }

  get #canFlush(): boolean {
    return this.#count > 0 && this.#running.length < this.#options.connections;
  }

  /** Milliseconds until the newest commit is slow and calls use the next connection; 0 when no commit runs. */
  #untilNextConnectionMs(): number {
    const newest = this.#running.at(-1);
    return newest === undefined ? 0 : newest.at + slowCommitMs - this.#options.elapsedMs();
  }

  /** Takes calls from the tenants in turn, so that one tenant's calls do not fill every commit. */
  #gather(): PendingCall[] {
    const batch: PendingCall[] = [];
    const tasks = new Set<string>();
    let weight = 0;
    const full = (): boolean => batch.length >= maxBatch || weight >= maxWeight;
    let moved = true;
    while (moved && !full()) {
      moved = false;
      for (const [tenantId, queue] of this.#waiting) {
        const entry = queue[0];
        if (entry === undefined || full()) break;
        if (entry.taskId !== undefined && tasks.has(entry.taskId)) continue;
        queue.shift();
        if (queue.length === 0) this.#waiting.delete(tenantId);
        if (entry.taskId !== undefined) tasks.add(entry.taskId);
        batch.push(entry);
        weight += entry.weight;
        moved = true;
      }
    }
    this.#rotate();
    this.#count -= batch.length;
    return batch;
  }

  /** Moves the first tenant to the end. */
  #rotate(): void {
    const first = this.#waiting.entries().next().value;
    if (first === undefined || this.#waiting.size < 2) return;
    this.#waiting.delete(first[0]);
    this.#waiting.set(first[0], first[1]);
  }

  /** @param participants those that may add work; none where a commit with their work has failed */
  async #flush(batch: readonly PendingCall[], participants = this.#participants ?? []): Promise<void> {
    const groups = groupByTenant(batch);
    const works = groups.map((group) => prepareWorks(participants, group));
    try {
      const answers = await this.#commit(groups.map((group, i) => encodeGroup(group, works[i] ?? noWorks)));
      groups.forEach((group, i) => settleGroup(group, works[i] ?? noWorks, answers[i]));
    } catch (error) {
      for (const work of works.flat()) work.failed();
      const isFinal = isUnreachable(error) && !isConflict(error);
      // The participants' work may be the cause.
      if (!isFinal && works.some(({ length }) => length > 0)) return await this.#flush(batch, []);
      if (isFinal || batch.length === 1) {
        const reason = translated(error);
        for (const entry of batch) entry.reject(reason);
        return;
      }
      // One bad call must not fail the others: each is committed once more, alone.
      for (const entry of batch) await this.#flush([entry], []);
    }
  }

  async #commit(encoded: readonly ReturnType<typeof encodeGroup>[]): Promise<readonly GroupAnswer[]> {
    const { pool, leaseSeconds, idempotencyHours } = this.#options;
    const requests = JSON.stringify(encoded.map(({ request }) => request));
    const intents = encoded.flatMap((group) => group.intents ?? []);
    const result = await pool.query<{ answers: string }>({
      name: 'queue_flush',
      text: 'select queue_flush($1::jsonb, make_interval(secs => $2), make_interval(hours => $3), $4) as answers',
      // Intents are a parameter of their own, so that the database does not parse them.
      values: [requests, leaseSeconds, idempotencyHours, intents.length === 0 ? null : intents.join('\n')],
    });
    return JSON.parse(result.rows[0]?.answers ?? '[]');
  }
}

/** Allocates nothing where no participant has work. */
function prepareWorks(participants: readonly CommitParticipant[], group: Group): readonly CommitWork[] {
  let works: CommitWork[] | undefined;
  for (const participant of participants) {
    const work = participant.prepare(group);
    if (work !== undefined) (works ??= []).push(work);
  }
  return works ?? noWorks;
}
