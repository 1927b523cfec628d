// Metrics of analytics and of partitioned tables.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AnalyticsMetrics, EventOutcome } from '../../../domain/analytics/analytics-deps.ts';
import { eventKinds, type EventKind } from '../../../domain/model/analytics/event.ts';
import type { PartitionMetrics } from '../../../domain/partitions/keep-partitions.ts';

export class PrometheusAnalyticsMetrics implements AnalyticsMetrics, PartitionMetrics {
  readonly #events: Counter<'kind' | 'outcome'>;
  readonly #kept: Gauge<'table'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#events = new Counter({
      name: 'switchyard_analytics_events_total',
      help: 'Events of analytics by kind; a duplicate repeats a message id and is not stored.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    const outcomes: EventOutcome[] = ['stored', 'duplicate', 'refused'];
    for (const kind of eventKinds) for (const outcome of outcomes) this.#events.inc({ kind, outcome }, 0);
    this.#kept = new Gauge({
      name: 'switchyard_partitions_kept',
      help: 'Partitions past their time that cannot be dropped yet, on the replica that leads the loop partitions.',
      labelNames: ['table'],
      registers,
    });
  }

  eventReceived(kind: EventKind, outcome: EventOutcome): void {
    this.#events.inc({ kind, outcome });
  }

  partitionsKept(kept: ReadonlyMap<string, number>): void {
    this.#kept.reset();
    for (const [table, count] of kept) this.#kept.set({ table }, count);
  }
}
