// The frames of the monitor's stream, for whoever on the page wants them.
import type { MonitorFrame } from '../../../src/client/follow.ts';

const listeners = new Set<(frame: MonitorFrame) => void>();

/** @returns the end of the subscription */
export function onMonitorFrame(listener: (frame: MonitorFrame) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceFrame(frame: MonitorFrame): void {
  for (const listener of listeners) listener(frame);
}
