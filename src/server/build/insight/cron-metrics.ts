// Metrics of cron jobs: what became of due times, how late tasks were created, how runs ended.
import { Counter, Histogram, type Registry } from 'prom-client';
import type { CronjobRunStatus } from '../../../domain/model/schedule/cronjob.ts';
import type { CronMetrics } from '../../../domain/schedules/cron-deps.ts';

export class PrometheusCronMetrics implements CronMetrics {
  readonly #dueTimes: Counter<'status'>;
  readonly #ended: Counter<'status'>;
  readonly #lag: Histogram;
  readonly #postponed: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#dueTimes = new Counter({
      name: 'switchyard_cron_due_times_total',
      help: 'Due times of cron jobs by the status of their run; a missed run counts each due time that it stands for.',
      labelNames: ['status'],
      registers,
    });
    this.#ended = new Counter({
      name: 'switchyard_cron_runs_ended_total',
      help: 'Runs of cron jobs whose task has ended, by status.',
      labelNames: ['status'],
      registers,
    });
    this.#lag = new Histogram({
      name: 'switchyard_cron_lag_seconds',
      help: 'Time from a due time, with its jitter, to the creation of its task.',
      buckets: [0.5, 1, 2, 5, 15, 60, 300, 3600, 86_400],
      registers,
    });
    this.#postponed = new Counter({
      name: 'switchyard_cron_failures_total',
      help: 'Due times that could not be handled and are tried again.',
      registers,
    });
    for (const status of ['started', 'skipped', 'missed', 'failed']) this.#dueTimes.inc({ status }, 0);
    for (const status of ['completed', 'failed', 'cancelled']) this.#ended.inc({ status }, 0);
  }

  handled(status: CronjobRunStatus, dueTimes: number): void {
    this.#dueTimes.inc({ status }, dueTimes);
  }

  ended(status: CronjobRunStatus): void {
    this.#ended.inc({ status });
  }

  lagged(seconds: number): void {
    this.#lag.observe(Math.max(0, seconds));
  }

  postponed(): void {
    this.#postponed.inc();
  }
}
