// Group commit: calls that arrive while a commit runs share the next one.
//
// A small number of connections ("lanes") each flush what has gathered while the last commit ran. Nothing waits for a
// timer to gather more, so an idle call waits for one commit only; under load a commit carries many calls. A promise settles only
// after its COMMIT. Measured against one statement per call: 5–12 times the throughput.
// The first lane does the work alone, for two halve the batches (measured: 15 % more CPU for a submit); the others are
// there for when its commit takes long, which one of large artifacts does: small ones go by.
import type pg from 'pg';
import type { AuditIntent } from '../../../domain/model/audit-entry.ts';
import {
  groupsOf,
  encodeGroup,
  settleGroup,
  type Entry,
  type EntryOf,
  type ExtraClaim,
  type ExtraRide,
  type Extras,
  type Group,
  type GroupAnswer,
} from './lane-batch.ts';
import type { LaneAnswers, LaneKind, LaneRows, SubmitRow } from './lane-rows.ts';
import { isConflict, isUnreachable, translated } from '../connection/pg-errors.ts';

export interface LaneOptions {
  readonly pool: pg.Pool;
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly lanes: number;
  readonly leaseSeconds: number;
  readonly idempotencyHours: number;
  /** Extra claims to put into a commit that takes these submits and ends the runs under these leases. */
  readonly claimsFor: (tenantId: string, submits: readonly SubmitRow[], endedLeases: readonly string[]) => ExtraClaim[];
  /** What of the tenant's deliveries goes with a commit. */
  readonly rideFor: (tenantId: string, endsTasks: boolean) => ExtraRide | undefined;
}

const maxBatch = 256;
/** Characters of content in one commit: a batch of large artifacts must not make the small ones wait long. */
const maxWeight = 4_000_000;
/** Milliseconds after which a commit takes long: calls that come then take the next lane. */
const longMs = 15;

/**
 * Turns of the event loop that a commit waits for, while each brings further calls: what is under way on other
 * connections goes with it (measured: a tenth less CPU for a submit, a fifth of the database's). A lone call waits for one.
 */
const maxTurns = 8;

const none: Extras = { claims: [], ride: undefined };

export class CommitLanes {
  readonly #options: LaneOptions;
  readonly #waiting = new Map<string, Entry[]>();
  #count = 0;
  #scheduled = false;
  #look: NodeJS.Timeout | undefined;
  /** When each commit under way began, oldest first: as many as lanes are at work. */
  readonly #begun: { readonly at: number }[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Puts a call into the next commit. Settles after it; rejects with the domain's error. */
  run<K extends LaneKind>(
    tenantId: string,
    kind: K,
    row: LaneRows[K],
    about: { taskId?: string; weight: number; intent: AuditIntent | undefined },
  ): Promise<LaneAnswers[K]> {
    return new Promise((resolve, reject) => {
      const entry: EntryOf<K> = { tenantId, kind, row, ...about, taskId: about.taskId, resolve, reject };
      const queue = this.#waiting.get(tenantId) ?? [];
      // An entry of one kind is one of all kinds; the type checker cannot follow that through a parameter.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      queue.push(entry as unknown as Entry);
      this.#waiting.set(tenantId, queue);
      this.#count += 1;
      this.#schedule();
    });
  }

  /** After this turn of the event loop at the earliest, so that calls which arrived together go together. */
  #schedule(): void {
    if (this.#scheduled || !this.#canFlush) return;
    const waitMs = this.#untilNextLaneMs();
    if (waitMs > 0) {
      this.#lookAgain(waitMs);
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
      const begun = { at: this.#options.elapsedMs() };
      this.#begun.push(begun);
      // Owned here: #flush settles every entry and never rejects.
      void this.#flush(this.#gather()).finally(() => {
        this.#begun.splice(this.#begun.indexOf(begun), 1);
        this.#schedule();
      });
      this.#schedule();
    });
  }

  /** When the lane at work takes long and no other call comes. */
  #lookAgain(waitMs: number): void {
    if (this.#look !== undefined) return;
    this.#look = setTimeout(() => {
      this.#look = undefined;
      this.#schedule();
    }, waitMs);
  }

  get #canFlush(): boolean {
    return this.#count > 0 && this.#begun.length < this.#options.lanes;
  }

  /** Milliseconds that calls wait for the last lane at work before they take the next; 0 when none is at work. */
  #untilNextLaneMs(): number {
    const newest = this.#begun.at(-1);
    return newest === undefined ? 0 : newest.at + longMs - this.#options.elapsedMs();
  }

  /** Takes from the tenants in turn, so that one tenant's flood does not fill every commit. */
  #gather(): Entry[] {
    const batch: Entry[] = [];
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

  /** @param mayRide false: a commit that took something of deliveries along has failed */
  async #flush(batch: readonly Entry[], mayRide = true): Promise<void> {
    const groups = groupsOf(batch);
    const extras = groups.map((group) => this.#extras(group, mayRide));
    try {
      const answers = await this.#commit(groups.map((group, i) => encodeGroup(group, extras[i] ?? none)));
      groups.forEach((group, i) => settleGroup(group, extras[i] ?? none, answers[i]));
    } catch (error) {
      for (const { claims, ride } of extras) {
        for (const claim of claims) claim.settle(undefined);
        ride?.settle(undefined);
      }
      const isFinal = isUnreachable(error) && !isConflict(error);
      // What rode along may be to blame.
      if (!isFinal && extras.some(({ ride }) => ride !== undefined)) return await this.#flush(batch, false);
      if (isFinal || batch.length === 1) {
        const reason = translated(error);
        for (const entry of batch) entry.reject(reason);
        return;
      }
      // A bad neighbour harms nobody: each call once more, alone.
      for (const entry of batch) await this.#flush([entry], false);
    }
  }

  #extras({ tenantId, entries }: Group, mayRide: boolean): Extras {
    const ride = !mayRide ? undefined : this.#options.rideFor(tenantId, entries.finish.length > 0);
    if (entries.submit.length === 0 && entries.finish.length === 0) return { claims: [], ride };
    const endedLeases = entries.finish.map((entry) => entry.row.lease_token);
    const submits = entries.submit.map((entry) => entry.row);
    return { claims: this.#options.claimsFor(tenantId, submits, endedLeases), ride };
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
