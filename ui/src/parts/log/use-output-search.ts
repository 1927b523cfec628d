// The search of the output: what is loaded at once, in slices, then the service for the rest.
import { useEffect, useState } from 'react';
import { plainOf } from '../../text/clean.ts';
import type { OutputStore } from '../../text/output/lines.ts';

export interface OutputSearch {
  /** Numbers of the lines that hold the text, ascending. */
  readonly hits: readonly number[];
  readonly state: 'idle' | 'busy' | 'done' | 'failed';
}

/** Asks the service for the numbers of lines in the whole output that hold a text. */
export type SearchOutput = (query: string, signal: AbortSignal) => Promise<readonly number[]>;

const slice = 5_000;
const settleMs = 150;
const none: OutputSearch = { hits: [], state: 'idle' };

export function useOutputSearch(store: OutputStore, query: string, search: SearchOutput): OutputSearch {
  const [found, setFound] = useState(none);
  useEffect(() => {
    if (query === '') {
      setFound(none);
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void findAll(store, query, search, controller.signal, setFound);
    }, settleMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [store, query, search]);
  return query === '' ? none : found;
}

async function findAll(
  store: OutputStore,
  query: string,
  search: SearchOutput,
  signal: AbortSignal,
  show: (found: OutputSearch) => void,
): Promise<void> {
  const hits = await findLoaded(store, query, signal);
  if (signal.aborted) return;
  if (!store.hasOlder && !store.hasNewer) {
    show({ hits, state: 'done' });
    return;
  }
  show({ hits, state: 'busy' });
  try {
    const others = await search(query, signal);
    if (!signal.aborted) show({ hits: [...new Set([...hits, ...others])].toSorted((a, b) => a - b), state: 'done' });
  } catch {
    if (!signal.aborted) show({ hits, state: 'failed' });
  }
}

async function findLoaded(store: OutputStore, query: string, signal: AbortSignal): Promise<number[]> {
  const wanted = query.toLowerCase();
  const hits: number[] = [];
  for (let number = store.firstLine; !signal.aborted; number += slice) {
    // Lines may be dropped between two slices: the numbers of lines stay, their indexes do not.
    const index = number - store.firstLine;
    if (index >= store.count) break;
    for (let at = Math.max(index, 0); at < Math.min(index + slice, store.count); at++) {
      if (
        plainOf(store.line(at)?.text ?? '')
          .toLowerCase()
          .includes(wanted)
      )
        hits.push(store.firstLine + at);
    }
    await yieldToReader();
  }
  return hits;
}

async function yieldToReader(): Promise<void> {
  if ('scheduler' in globalThis && typeof globalThis.scheduler.yield === 'function') await globalThis.scheduler.yield();
  else await new Promise((resolve) => setTimeout(resolve));
}
