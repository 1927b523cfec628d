// Group commit: calls that arrive while a commit runs share the next one.
//
// A small number of connections ("lanes") each flush what has gathered while the last commit ran. Nothing waits for a
// timer to gather more, so an idle call waits for one commit only; under load a commit carries many calls. A promise settles only
// after its COMMIT. Measured against one statement per call: 5–12 times the throughput.
// The first lane does the work alone, for two halve the batches (measured: 15 % more CPU for a submit); the others are
// there for when its commit takes long, which one of large artifacts does: small ones go by.
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
/** Characters of content in one commit: a batch of large artifacts must not make the small ones wait long. */
const maxWeight = 4_000_000;
/** Milliseconds after which a commit takes long: calls that come then take the next lane. */
const slowCommitMs = 15;

/**
 * Turns of the event loop that a commit waits for, while each brings further calls: what is under way on other
 * connections goes with it (measured: a tenth less CPU for a submit, a fifth of the database's). A lone call waits for one.
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
  /** When each commit under way began, oldest first: as many as lanes are at work. */
  readonly #running: { readonly at: number }[] = [];

  constructor(options: GroupCommitterOptions) {
    this.#options = options;
  }

  /** @throws Error at a second call */
  start(participants: readonly CommitParticipant[]): void {
    if (this.#participants !== undefined) throw new Error('the queue has its participants already');
    this.#participants = participants;
  }

  /** Puts a call into the next commit. Settles after it; rejects with the domain's error. */
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
      // An entry of one kind is one of all kinds; the type checker cannot follow that through a parameter.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      queue.push(entry as unknown as PendingCall);
      this.#waiting.set(tenantId, queue);
      this.#count += 1;
      this.#schedule();
    });
  }

  /** After this turn of the event loop at the earliest, so that calls which arrived together go together. */
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
   * Begins a commit once a turn of the event loop has brought no further call, or after so many turns.
   * @param seen calls that waited when the turn began
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

  /** When the lane at work takes long and no other call comes. */
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

  /** Milliseconds that calls wait for the last lane at work before they take the next; 0 when none is at work. */
  #untilNextConnectionMs(): number {
    const newest = this.#running.at(-1);
    return newest === undefined ? 0 : newest.at + slowCommitMs - this.#options.elapsedMs();
  }

  /** Takes from the tenants in turn, so that one tenant's flood does not fill every commit. */
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

  /** The tenant that was first goes last. */
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
      // Beside the request, not in it: the database does not look into them.
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
