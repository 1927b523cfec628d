// Whether what the page shows is the present.
import { createStore, useStore } from '../store.ts';

export type Connection =
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  /** `since`: milliseconds since the epoch of the last byte. */
  | { readonly kind: 'stale'; readonly since: number };

const connection = createStore<Connection>({ kind: 'live' });

export function useConnection(): Connection {
  return useStore(connection);
}

export function setConnection(state: Connection): void {
  connection.set(state);
}

/** True while writes would be lost. */
export function isOffline(): boolean {
  return connection.get().kind === 'stale';
}
