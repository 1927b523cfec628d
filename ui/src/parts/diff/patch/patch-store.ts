// The patches of files, loaded when they come near, parsed once, outside React.
import { parsePatch, type PatchFile } from '../../../text/patch/patch.ts';
import { blocksOf, type HunkBlock } from '../../../text/patch/patch-units.ts';
import { withoutWhitespace } from '../../../text/patch/patch-whitespace.ts';

export interface LoadedPatch {
  readonly file: PatchFile;
  readonly blocks: readonly HunkBlock[];
}

export type PatchState = LoadedPatch | 'absent' | 'loading' | 'failed';

const compact = new WeakMap<LoadedPatch, LoadedPatch>();

/** The same without changes of white space alone; made once. */
export function compactPatch(state: PatchState): PatchState {
  if (typeof state === 'string') return state;
  const known = compact.get(state);
  if (known !== undefined) return known;
  const file = withoutWhitespace(state.file);
  const made = { file, blocks: blocksOf(file) };
  compact.set(state, made);
  return made;
}

/** Asks for the patch of one file. */
export type LoadPatch = (path: string, signal: AbortSignal) => Promise<string>;

const atOnce = 4;

export class PatchStore {
  readonly #load: LoadPatch;
  readonly #patches = new Map<string, PatchState>();
  readonly #listeners = new Set<() => void>();
  readonly #controller = new AbortController();
  #wanted: string[] = [];
  #running = 0;
  #version = 0;

  constructor(load: LoadPatch) {
    this.#load = load;
  }

  get(path: string): PatchState {
    return this.#patches.get(path) ?? 'absent';
  }

  /** Loads these next, in this order; earlier wishes that have not begun are dropped, for the reader has gone on. */
  want(paths: readonly string[]): void {
    this.#wanted = paths.filter((path) => this.get(path) === 'absent');
    this.#next();
  }

  retry(path: string): void {
    this.#patches.delete(path);
    this.#changed();
  }

  close(): void {
    this.#wanted = [];
    this.#controller.abort();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly version = (): number => this.#version;

  #next(): void {
    while (this.#running < atOnce) {
      const path = this.#wanted.shift();
      if (path === undefined) return;
      this.#running += 1;
      this.#patches.set(path, 'loading');
      void this.#fetch(path).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #fetch(path: string): Promise<void> {
    let state: PatchState = 'failed';
    try {
      const file = parsePatch(await this.#load(path, this.#controller.signal))[0];
      if (file !== undefined) state = { file, blocks: blocksOf(file) };
    } catch {
      // The row of the file says so and offers to try again.
    }
    this.#patches.set(path, state);
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
