// Figures of this process for Prometheus: requests, claims, lost leases, the event loop, the pool; and the queue of
// whoever asks. Counted in plain numbers; they become metrics when somebody looks.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Assignment } from '../domain/model/task.ts';
import type { TaskStatus } from '../domain/model/task-state.ts';
import type { QueueTally } from './measured-queue.ts';

/** What the pool of database connections says of itself. */
export interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The tasks of one tenant. */
export interface QueueDepth {
  readonly tasks: Readonly<Record<TaskStatus, number>>;
  readonly oldestPendingSeconds: number | null;
}

const nanosecondsPerSecond = 1e9;

export class Metrics implements QueueTally, Disposable {
  readonly #registry = new Registry();
  /** By operation, then by status. */
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #loop = monitorEventLoopDelay({ resolution: 20 });
  #claims = 0;
  #leasesLost = 0;
  readonly #startSeconds: Histogram;

  constructor(pool: PoolState) {
    const registers = [this.#registry];
    this.#startSeconds = new Histogram({
      name: 'switchyard_task_start_seconds',
      help: 'From the creation of a task to its claim.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600],
      registers,
    });
    this.#countRequests(registers);
    this.#counter('switchyard_claims_total', 'Tasks that were given to workers.', () => this.#claims);
    this.#counter(
      'switchyard_leases_lost_total',
      'Words of workers under a lease that was lost.',
      () => this.#leasesLost,
    );
    const pooled: [state: string, count: () => number][] = [
      ['open', () => pool.totalCount],
      ['idle', () => pool.idleCount],
    ];
    this.#gauge('switchyard_pool_connections', 'Connections of the pool.', 'state', pooled);
    this.#gauge('switchyard_pool_waiting', 'Calls that wait for a connection.', 'pool', [
      ['requests', () => pool.waitingCount],
    ]);
    this.#gauge('switchyard_event_loop_delay_seconds', 'Delay of the event loop since the last look.', 'quantile', [
      ['0.5', () => this.#loop.percentile(50) / nanosecondsPerSecond],
      ['0.99', () => this.#loop.percentile(99) / nanosecondsPerSecond],
      ['1', () => this.#loop.max / nanosecondsPerSecond],
    ]);
    this.#loop.enable();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @param operation its name; `unknown` for what is no operation */
  answered(operation: string, status: number): void {
    let statuses = this.#requests.get(operation);
    if (statuses === undefined) this.#requests.set(operation, (statuses = new Map()));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  claimed(assignments: readonly Assignment[]): void {
    this.#claims += assignments.length;
    for (const { task } of assignments) {
      if (task.startedAt === null) continue;
      this.#startSeconds.observe(Math.max(0, Date.parse(task.startedAt) - Date.parse(task.createdAt)) / 1000);
    }
  }

  leasesLost(count: number): void {
    this.#leasesLost += count;
  }

  /** In the text format of Prometheus. @param depth of the caller's own tenant */
  async render(depth: QueueDepth): Promise<string> {
    const own = await this.#registry.metrics();
    this.#loop.reset();
    const queue = new Registry();
    const tasks = new Gauge({
      name: 'switchyard_tasks',
      help: 'Tasks of your tenant by state.',
      labelNames: ['state'],
      registers: [queue],
    });
    for (const [state, count] of Object.entries(depth.tasks)) tasks.set({ state }, count);
    new Gauge({
      name: 'switchyard_oldest_pending_seconds',
      help: 'Age of the oldest pending task of your tenant; 0 when none waits.',
      registers: [queue],
    }).set(depth.oldestPendingSeconds ?? 0);
    return own + (await queue.metrics());
  }

  #countRequests(registers: Registry[]): void {
    const requests = this.#requests;
    // Owned by the registry.
    void new Counter({
      name: 'switchyard_requests_total',
      help: 'Answers by operation and status.',
      labelNames: ['operation', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [operation, statuses] of requests) {
          for (const [status, count] of statuses) this.inc({ operation, status }, count);
        }
      },
    });
  }

  #counter(name: string, help: string, count: () => number): void {
    void new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  }

  #gauge(name: string, help: string, label: string, values: readonly [value: string, of: () => number][]): void {
    void new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        for (const [value, of] of values) this.set({ [label]: value }, of());
      },
    });
  }

  [Symbol.dispose](): void {
    this.#loop.disable();
  }
}
