// Metrics of the runs of objectives: how items and runs ended.
import { Counter, type Registry } from 'prom-client';
import type { OkrItemStatus, OkrRunStatus } from '../../../domain/model/okr/okr.ts';
import type { OkrMetrics } from '../../../domain/okr/base/okr-deps.ts';

export class PrometheusOkrMetrics implements OkrMetrics {
  readonly #items: Counter<'status'>;
  readonly #runs: Counter<'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#items = new Counter({
      name: 'switchyard_okr_items_total',
      help: 'Tasks of key results that have ended, by status; unreported ones left no valid report.',
      labelNames: ['status'],
      registers,
    });
    this.#runs = new Counter({
      name: 'switchyard_okr_runs_ended_total',
      help: 'Runs of objectives that have ended, by status.',
      labelNames: ['status'],
      registers,
    });
    for (const status of ['completed', 'unreported', 'failed', 'cancelled']) this.#items.inc({ status }, 0);
    for (const status of ['completed', 'failed', 'cancelled']) this.#runs.inc({ status }, 0);
  }

  folded(status: OkrItemStatus): void {
    this.#items.inc({ status });
  }

  runEnded(status: OkrRunStatus): void {
    this.#runs.inc({ status });
  }
}
