// Metrics of this process for Prometheus: requests, claims, lost leases, webhooks, the policy server, the audit, the event
// loop, the pool; and the caller's queue. Kept as plain numbers and converted when they are scraped.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueDepth } from '../../domain/insight/queue-depth.ts';
import type { Delivery } from '../../domain/model/delivery.ts';
import type { Assignment } from '../../domain/model/task/task.ts';
import type { AttemptResult, AttemptMetrics } from '../../domain/webhooks/attempt-report.ts';
import { PrometheusAnalyticsMetrics } from './analytics/analytics-metrics.ts';
import { elapsedMs } from './build-options.ts';
import { PrometheusClusterMetrics } from './cluster/cluster-metrics.ts';
import { PrometheusCronMetrics } from './insight/cron-metrics.ts';
import { PrometheusOkrMetrics } from './insight/okr-metrics.ts';
import { PrometheusRunMetrics } from './runs/run-metrics.ts';
import type { QueueMetrics } from './instrumented-queue.ts';

/** The state of the pool of database connections. */
export interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export interface MetricsSources {
  readonly pool: PoolState;
  /** False: changes are rejected. */
  readonly auditWritable: () => boolean;
}

const nanosecondsPerSecond = 1e9;

export class Metrics implements QueueMetrics, AttemptMetrics, Disposable {
  readonly runs: PrometheusRunMetrics;
  readonly analytics: PrometheusAnalyticsMetrics;
  readonly cluster: PrometheusClusterMetrics;
  readonly cron: PrometheusCronMetrics;
  readonly okr: PrometheusOkrMetrics;
  readonly #registry = new Registry();
  /** By operation, then by status. */
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #loop = monitorEventLoopDelay({ resolution: 20 });
  #claims = 0;
  #leasesLost = 0;
  #policyFailures = 0;
  readonly #startSeconds: Histogram;
  readonly #attempts: Counter<'kind' | 'outcome'>;

  constructor({ pool, auditWritable }: MetricsSources) {
    const registers = [this.#registry];
    this.runs = new PrometheusRunMetrics(this.#registry);
    this.analytics = new PrometheusAnalyticsMetrics(this.#registry);
    this.cluster = new PrometheusClusterMetrics(this.#registry, elapsedMs);
    this.cron = new PrometheusCronMetrics(this.#registry);
    this.okr = new PrometheusOkrMetrics(this.#registry);
    this.#startSeconds = new Histogram({
      name: 'switchyard_task_start_seconds',
      help: 'Time from the creation of a task to its claim.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600],
      registers,
    });
    this.#attempts = new Counter({
      name: 'switchyard_webhook_attempts_total',
      help: 'Attempts at webhooks and push notifications; failed ones are retried, dead ones are not.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    for (const kind of ['webhook', 'push']) {
      // Present from the start: a rate over a series that begins at 1 would miss the first attempt.
      for (const outcome of ['delivered', 'failed', 'dead']) this.#attempts.inc({ kind, outcome }, 0);
    }
    this.#countRequests(registers);
    this.#counter('switchyard_claims_total', 'Tasks claimed by workers.', () => this.#claims);
    this.#counter('switchyard_leases_lost_total', 'Calls of workers under a lost lease.', () => this.#leasesLost);
    this.#counter(
      'switchyard_policy_failures_total',
      'Requests to the policy server without a decision.',
      () => this.#policyFailures,
    );
    // Owned by the registry.
    void new Gauge({
      name: 'switchyard_audit_writable',
      help: '1 while the audit can be written; 0: changes are rejected.',
      registers,
      collect() {
        this.set(auditWritable() ? 1 : 0);
      },
    });
    const pooled: [state: string, count: () => number][] = [
      ['open', () => pool.totalCount],
      ['idle', () => pool.idleCount],
    ];
    this.#gauge('switchyard_pool_connections', 'Database connections in the pool.', 'state', pooled);
    this.#gauge('switchyard_pool_waiting', 'Calls waiting for a database connection.', 'pool', [
      ['requests', () => pool.waitingCount],
    ]);
    this.#gauge('switchyard_event_loop_delay_seconds', 'Delay of the event loop since the last scrape.', 'quantile', [
      ['0.5', () => this.#loop.percentile(50) / nanosecondsPerSecond],
      ['0.99', () => this.#loop.percentile(99) / nanosecondsPerSecond],
      ['1', () => this.#loop.max / nanosecondsPerSecond],
    ]);
    this.#loop.enable();
  }

  /** Parts that are built later register metrics of their own with it. */
  get registry(): Registry {
    return this.#registry;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @param operation its name; `unknown` for a request that matches no operation */
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

  attempted(kind: Delivery['kind'], outcome: AttemptResult): void {
    this.#attempts.inc({ kind, outcome });
  }

  /** Counts a request to the policy server without a decision. */
  policyFailed(): void {
    this.#policyFailures += 1;
  }

  /** Renders the text format of Prometheus. @param depth queue depth of the caller's tenant */
  async render(depth: QueueDepth): Promise<string> {
    const processMetrics = await this.#registry.metrics();
    this.#loop.reset();
    const queue = new Registry();
    const tasks = new Gauge({
      name: 'switchyard_tasks',
      help: "Tasks of the caller's tenant by state.",
      labelNames: ['state'],
      registers: [queue],
    });
    for (const [state, count] of Object.entries(depth.tasks)) tasks.set({ state }, count);
    const runs = new Gauge({
      name: 'switchyard_runs',
      help: "Autonomous runs of the caller's tenant by status.",
      labelNames: ['status'],
      registers: [queue],
    });
    for (const [status, count] of Object.entries(depth.runs)) runs.set({ status }, count);
    const open = new Gauge({
      name: 'switchyard_queue_depth',
      help: "Unfinished tasks of the caller's tenant by state and codebase: the fifty largest, and all others as one.",
      labelNames: ['state', 'codebase'],
      registers: [queue],
    });
    for (const { status, codebase, tasks: count } of depth.byCodebase) open.set({ state: status, codebase }, count);
    new Gauge({
      name: 'switchyard_oldest_pending_seconds',
      help: "Age of the oldest pending task of the caller's tenant; 0 if there is none.",
      registers: [queue],
    }).set(depth.oldestPendingSeconds ?? 0);
    return processMetrics + (await queue.metrics());
  }

  #countRequests(registers: Registry[]): void {
    const requests = this.#requests;
    // Owned by the registry.
    void new Counter({
      name: 'switchyard_requests_total',
      help: 'Responses by operation and status.',
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
