// Metrics of autonomous runs: how long steps take, how attempts end, how late the director looks.
import { Counter, Histogram, type Registry } from 'prom-client';
import type { RunMetrics } from '../../../domain/runs/director/director-deps.ts';

export class PrometheusRunMetrics implements RunMetrics {
  readonly #steps: Histogram<'kind'>;
  readonly #attempts: Counter<'outcome'>;
  readonly #lag: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#steps = new Histogram({
      name: 'switchyard_run_steps_seconds',
      help: 'Time from the creation of a step of a run to its end.',
      labelNames: ['kind'],
      buckets: [1, 5, 15, 60, 180, 600, 1800, 3600, 14_400],
      registers,
    });
    this.#attempts = new Counter({
      name: 'switchyard_run_iterations_total',
      help: 'Attempts at stories of runs by outcome; void ones spend no iteration.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['passed', 'failed', 'void']) this.#attempts.inc({ outcome }, 0);
    this.#lag = new Histogram({
      name: 'switchyard_run_director_lag_seconds',
      help: 'How late the director looked at a run whose time had come.',
      buckets: [0.1, 0.5, 1, 2, 5, 15, 60, 300],
      registers,
    });
  }

  stepEnded(kind: string, seconds: number): void {
    this.#steps.observe({ kind }, seconds);
  }

  attemptEnded(outcome: string): void {
    this.#attempts.inc({ outcome });
  }

  lagged(seconds: number): void {
    this.#lag.observe(seconds);
  }
}
