// Probes routes that hints name: immediately, one probe at a time per route, and less often while probes find nothing.
//
// Anyone with write access to the broker can send any number of hints; the back-off keeps their cost to the database low.

export interface RouteProbesOptions {
  /** Resolves with true when the probe found something to do. Must not reject. */
  readonly probe: (tenantId: string, codebaseId: string) => Promise<boolean>;
  readonly now: () => number;
}

/** Pause between two probes of one route; it doubles while they find nothing. */
const shortestGapMs = 20;
const longestGapMs = 320;

interface ProbedRoute {
  probing: boolean;
  probeAgain: boolean;
  gapMs: number;
  endedAt: number;
  timer: NodeJS.Timeout | undefined;
}

export class RouteProbes implements Disposable {
  readonly #options: RouteProbesOptions;
  readonly #routes = new Map<string, ProbedRoute>();

  /** @param options.now milliseconds by a monotonic clock */
  constructor(options: RouteProbesOptions) {
    this.#options = options;
  }

  /** Probes the route now, or when its pause is over. */
  request(tenantId: string, codebaseId: string): void {
    const key = JSON.stringify([tenantId, codebaseId]);
    const fresh: ProbedRoute = {
      probing: false,
      probeAgain: false,
      gapMs: shortestGapMs,
      endedAt: -longestGapMs,
      timer: undefined,
    };
    const route = this.#routes.get(key) ?? fresh;
    this.#routes.set(key, route);
    if (route.probing) route.probeAgain = true;
    if (route.probing || route.timer !== undefined) return;
    const waitMs = route.endedAt + route.gapMs - this.#options.now();
    const probe = (): void => {
      route.timer = undefined;
      // Owned: `#probe` never rejects, because `probe` does not.
      void this.#probe(key, route, tenantId, codebaseId);
    };
    if (waitMs <= 0) return probe();
    route.timer = setTimeout(probe, waitMs);
    route.timer.unref();
  }

  async #probe(key: string, route: ProbedRoute, tenantId: string, codebaseId: string): Promise<void> {
    [route.probing, route.probeAgain] = [true, false];
    const found = await this.#options.probe(tenantId, codebaseId);
    route.probing = false;
    route.gapMs = found ? shortestGapMs : Math.min(longestGapMs, route.gapMs * 2);
    route.endedAt = this.#options.now();
    if (route.probeAgain) this.request(tenantId, codebaseId);
    else this.#forgetQuiet(key);
  }

  /** Forgets routes that were probed long ago and need no pause any more. */
  #forgetQuiet(current: string): void {
    const now = this.#options.now();
    for (const [key, route] of this.#routes) {
      if (key === current || route.probing || route.timer !== undefined) continue;
      if (now - route.endedAt > longestGapMs) this.#routes.delete(key);
    }
  }

  [Symbol.dispose](): void {
    for (const route of this.#routes.values()) clearTimeout(route.timer);
    this.#routes.clear();
  }
}
