// Wakes whoever follows a task, or all tasks of a tenant, when a log has grown.
import type { WakeBus } from '../ports/wake.ts';

/** A follower's ear: set before it reads the log, so that no growth falls between reading and waiting. */
export interface Signal extends Disposable {
  /** Resolves when the log may have grown since the last call, or when the signal aborts, or after `timeoutMs`. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

interface Ear {
  rung: boolean;
  ring: (() => void) | undefined;
}

export class TaskSignals {
  readonly #ears = new Map<string, Set<Ear>>();

  constructor(wake: WakeBus) {
    wake.listen((hint) => {
      if (hint.kind !== 'task' && hint.kind !== 'pending') return;
      if (hint.kind === 'task') this.#ring(keyOf(hint.tenantId, hint.taskId));
      this.#ring(keyOf(hint.tenantId));
    });
  }

  /** Everyone looks again: hints may have been missed. */
  ringAll(): void {
    for (const key of this.#ears.keys()) this.#ring(key);
  }

  /** @param taskId absent: all tasks of the tenant */
  listen(tenantId: string, taskId?: string): Signal {
    const key = keyOf(tenantId, taskId);
    const ear: Ear = { rung: false, ring: undefined };
    const ears = this.#ears.get(key) ?? new Set();
    this.#ears.set(key, ears.add(ear));
    return {
      changed: (timeoutMs, signal) => rung(ear, timeoutMs, signal),
      [Symbol.dispose]: () => {
        ears.delete(ear);
        if (ears.size === 0) this.#ears.delete(key);
      },
    };
  }

  #ring(key: string): void {
    for (const ear of this.#ears.get(key) ?? []) {
      ear.rung = true;
      ear.ring?.();
    }
  }
}

function keyOf(tenantId: string, taskId = ''): string {
  return `${tenantId}/${taskId}`;
}

function rung(ear: Ear, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (ear.rung || signal.aborted) {
    ear.rung = false;
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timer = setTimeout(done, timeoutMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      ear.ring = undefined;
      ear.rung = false;
      resolve();
    }
    ear.ring = done;
    signal.addEventListener('abort', done, { once: true });
  });
}
