// The background loops of this replica: loops of every replica, and loops of the leader only.
import type { LoopLeaders, LoopStatus } from '../../domain/ports/loop-leaders.ts';
import { startLoop, type Loop, type LoopState } from './loops.ts';

export interface LoopSchedulerOptions {
  readonly leaders: LoopLeaders;
  /** This replica's name; a restarted replica gets a new one. */
  readonly replica: string;
  readonly now: () => number;
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly log: (line: string, error?: unknown) => void;
}

type Tick = (signal: AbortSignal) => Promise<unknown>;

/** A dead leader is replaced after this long, at most. */
const leaseSeconds = 6;
const renewMs = 2_000;

export class LoopScheduler implements AsyncDisposable {
  readonly #options: LoopSchedulerOptions;
  readonly #replicaLoops: Loop[] = [];
  readonly #leaderLoops: Loop[] = [];
  /** Ticks already reported to the database, by loop. */
  readonly #reportedTicks = new Map<string, number>();
  #leaderships: ReadonlySet<string> = new Set();
  #leadershipUntilMs = 0;
  /** Until when loops are left to other replicas, by name. */
  readonly #yieldedUntilMs = new Map<string, number>();
  #renewing: Loop | undefined;

  constructor(options: LoopSchedulerOptions) {
    this.#options = options;
  }

  /** Runs on this replica, independently of others. Ends with the scheduler. */
  everyReplica(name: string, intervalMs: number, tick: Tick): void {
    const { now, log } = this.#options;
    this.#replicaLoops.push(startLoop({ name, intervalMs, now, log, tick }));
  }

  /** Runs on one replica at a time: here while this replica leads the loop. May be called after the start. */
  leaderOnly(name: string, intervalMs: number, tick: Tick): void {
    const { now, log } = this.#options;
    this.#leaderLoops.push(startLoop({ name, intervalMs, now, log, tick, shouldRun: () => this.#isLeader(name) }));
  }

  /** Leaves a loop to another replica for so long. @throws DomainError unavailable; this replica does not lead all the same */
  async yieldLead(name: string, ms: number): Promise<void> {
    const { leaders, replica, elapsedMs } = this.#options;
    this.#yieldedUntilMs.set(name, elapsedMs() + ms);
    await leaders.resign(replica, name);
  }

  /** Acquires leadership of loops without a leader. If the database does not answer, the next renewal retries. */
  async start(): Promise<void> {
    const { now, log } = this.#options;
    await this.#renew().catch((error: unknown) => log('could not acquire leadership of loops; will retry', error));
    this.#renewing = startLoop({ name: 'leadership', intervalMs: renewMs, now, log, tick: () => this.#renew() });
  }

  /** The status of every loop: shared ones as their leaders reported them, this replica's own as they are. */
  async status(): Promise<LoopStatus[]> {
    const known = new Set(this.#leaderLoops.map(({ state }) => state.name));
    // A loop that nobody leads and this replica does not run is one of an earlier setting, version or Deployment.
    const leaderStatuses = (await this.#options.leaders.list()).filter(
      ({ name, leader }) => leader !== undefined || known.has(name),
    );
    const replicaStatuses = this.#replicaLoops.map(({ state }) => ({
      name: state.name,
      leader: this.#options.replica,
      intervalSeconds: state.intervalMs / 1000,
      ticks: state.ticks,
      lastTickAt: state.lastTickAt === undefined ? undefined : new Date(state.lastTickAt).toISOString(),
      lastError: state.lastError,
    }));
    return [...leaderStatuses, ...replicaStatuses].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #isLeader(name: string): boolean {
    if (this.#isYielded(name)) return false;
    return this.#leaderships.has(name) && this.#options.elapsedMs() < this.#leadershipUntilMs;
  }

  #isYielded(name: string): boolean {
    return this.#options.elapsedMs() < (this.#yieldedUntilMs.get(name) ?? 0);
  }

  async #renew(): Promise<void> {
    const { leaders, replica, now, elapsedMs } = this.#options;
    const requestedMs = elapsedMs();
    const states = this.#leaderLoops.map(({ state }) => state).filter(({ name }) => !this.#isYielded(name));
    const ticks = new Map(states.map((state) => [state.name, state.ticks]));
    const reports = states.map((state) => toLoopReport(state, this.#reportedTicks.get(state.name) ?? 0, now()));
    this.#leaderships = await leaders.acquireLeadership(replica, reports, leaseSeconds);
    this.#leadershipUntilMs = requestedMs + leaseSeconds * 1000;
    for (const name of this.#leaderships) this.#reportedTicks.set(name, ticks.get(name) ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { leaders, replica, log } = this.#options;
    await this.#renewing?.[Symbol.asyncDispose]();
    await Promise.all([...this.#replicaLoops, ...this.#leaderLoops].map((loop) => loop[Symbol.asyncDispose]()));
    if (this.#leaderships.size === 0) return;
    await leaders
      .resign(replica)
      .catch((error: unknown) => log('could not resign leadership of loops; it will expire', error));
  }
}

function toLoopReport(state: LoopState, reportedTicks: number, now: number) {
  return {
    name: state.name,
    intervalSeconds: state.intervalMs / 1000,
    ticks: state.ticks - reportedTicks,
    secondsSinceTick: state.lastTickAt === undefined ? undefined : Math.max(0, now - state.lastTickAt) / 1000,
    // Kept short: people read it as one line.
    lastError: state.lastError?.slice(0, 500),
  };
}
