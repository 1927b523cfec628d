// Metrics of the cluster manager: the pods of this replica's last check, restarts, failed checks.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ClusterMetrics } from '../../../domain/cluster/cluster-deps.ts';
import { restartableReasons, type RestartableReason } from '../../../domain/model/cluster/health.ts';

/** Another replica leads after so long without a check here: its series are the valid ones. */
const staleAfterMs = 5 * 60_000;

export class PrometheusClusterMetrics implements ClusterMetrics {
  readonly #restarts: Counter<'reason'>;
  readonly #failures: Counter;
  readonly #elapsedMs: () => number;
  #pods: { readonly at: number; readonly counts: ReadonlyMap<string, number> } | undefined;

  constructor(registry: Registry, elapsedMs: () => number) {
    const registers = [registry];
    this.#elapsedMs = elapsedMs;
    const current = (): ReadonlyMap<string, number> => this.#current();
    // Owned by the registry.
    void new Gauge({
      name: 'switchyard_cluster_pods',
      help: 'Pods of the Deployment by state, at the last check of this replica; none while another replica leads.',
      labelNames: ['state'],
      registers,
      collect() {
        this.reset();
        for (const [state, count] of current()) this.set({ state }, count);
      },
    });
    this.#restarts = new Counter({
      name: 'switchyard_cluster_restarts_total',
      help: 'Unhealthy pods that were evicted, by the reason why they were unhealthy.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of restartableReasons) this.#restarts.inc({ reason }, 0);
    this.#failures = new Counter({
      name: 'switchyard_cluster_reconcile_failures_total',
      help: 'Checks of the cluster that failed.',
      registers,
    });
  }

  looked(counts: ReadonlyMap<string, number>): void {
    this.#pods = { at: this.#elapsedMs(), counts };
  }

  restarted(reason: RestartableReason): void {
    this.#restarts.inc({ reason });
  }

  failed(): void {
    this.#failures.inc();
  }

  #current(): ReadonlyMap<string, number> {
    if (this.#pods === undefined || this.#elapsedMs() - this.#pods.at > staleAfterMs) return new Map();
    return this.#pods.counts;
  }
}
