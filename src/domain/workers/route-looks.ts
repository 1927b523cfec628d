// Looks at routes that somebody hinted at: at once, but one at a time for each, and rarer while they find nothing.
//
// Whoever can write to the broker can hint as often as he likes; this is why that costs the database next to nothing.

export interface RouteLooksOptions {
  /** True when it found something to do. Must not reject. */
  readonly look: (tenantId: string, codebaseId: string) => Promise<boolean>;
  readonly now: () => number;
}

/** Between two looks at one route; doubles while they find nothing. */
const shortestGapMs = 20;
const longestGapMs = 320;

interface Place {
  looking: boolean;
  again: boolean;
  gapMs: number;
  endedAt: number;
  timer: NodeJS.Timeout | undefined;
}

export class RouteLooks implements Disposable {
  readonly #options: RouteLooksOptions;
  readonly #places = new Map<string, Place>();

  /** @param options.now milliseconds by a clock that is never set back */
  constructor(options: RouteLooksOptions) {
    this.#options = options;
  }

  /** Looks now, or as soon as its turn has come. */
  hear(tenantId: string, codebaseId: string): void {
    const key = JSON.stringify([tenantId, codebaseId]);
    const fresh: Place = {
      looking: false,
      again: false,
      gapMs: shortestGapMs,
      endedAt: -longestGapMs,
      timer: undefined,
    };
    const place = this.#places.get(key) ?? fresh;
    this.#places.set(key, place);
    if (place.looking) place.again = true;
    if (place.looking || place.timer !== undefined) return;
    const waitMs = place.endedAt + place.gapMs - this.#options.now();
    const look = (): void => {
      place.timer = undefined;
      // Owned: `look` never rejects.
      void this.#look(key, place, tenantId, codebaseId);
    };
    if (waitMs <= 0) return look();
    place.timer = setTimeout(look, waitMs);
    place.timer.unref();
  }

  async #look(key: string, place: Place, tenantId: string, codebaseId: string): Promise<void> {
    [place.looking, place.again] = [true, false];
    const found = await this.#options.look(tenantId, codebaseId);
    place.looking = false;
    place.gapMs = found ? shortestGapMs : Math.min(longestGapMs, place.gapMs * 2);
    place.endedAt = this.#options.now();
    if (place.again) this.hear(tenantId, codebaseId);
    else this.#forgetQuiet(key);
  }

  /** What was hinted at long ago is forgotten when something else was looked at. */
  #forgetQuiet(current: string): void {
    const now = this.#options.now();
    for (const [key, place] of this.#places) {
      if (key === current || place.looking || place.timer !== undefined) continue;
      if (now - place.endedAt > longestGapMs) this.#places.delete(key);
    }
  }

  [Symbol.dispose](): void {
    for (const place of this.#places.values()) clearTimeout(place.timer);
    this.#places.clear();
  }
}
