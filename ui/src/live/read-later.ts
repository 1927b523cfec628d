// Reads kept answers again after frames: each key at most every five seconds, and only what is shown.
import { queryClient } from '../api/query-client.ts';

const leastMs = 5_000;
/** A hidden page still counts and announces questions. */
const readWhileHidden: readonly string[] = ['attention'];

interface Window {
  /** Something came after the read that opened the window. */
  isDue: boolean;
}

const windows = new Map<string, Window>();

/** Reads at once when nothing was read for a while; else once at the end of the time. */
export function readLater(queryKey: readonly string[]): void {
  const name = JSON.stringify(queryKey);
  const open = windows.get(name);
  if (open !== undefined) {
    open.isDue = true;
    return;
  }
  const window: Window = { isDue: false };
  windows.set(name, window);
  const isRead = !document.hidden || readWhileHidden.includes(queryKey[0] ?? '');
  // An answer that is only marked is read when the page is seen again.
  void queryClient.invalidateQueries({ queryKey, refetchType: isRead ? 'active' : 'none' });
  setTimeout(() => {
    windows.delete(name);
    if (window.isDue) readLater(queryKey);
  }, leastMs);
}
