// The service's time as a value that renders again: one ticker for the whole page.
import { useSyncExternalStore } from 'react';
import { serviceNow } from './clock.ts';

let now = serviceNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();
const tickMs = 1_000;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  now = serviceNow();
  for (const listener of listeners) listener();
}

/** Milliseconds since the epoch by the service's clock, in whole steps. @param stepMs how often it changes; default each second */
export function useNow(stepMs = tickMs): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / stepMs) * stepMs);
}
