// The session of this tab: its token is in memory and sessionStorage alone. Tabs of this browser pass it on to new ones.
import { createStore, useStore } from '../store.ts';

export interface SignedIn {
  readonly session_id: string;
  readonly access_token: string;
  readonly expires_at: string;
}

/** `expired`: the service refused the token; the page stays, and the sign-in panel lies over it. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'signed-in'; readonly session: SignedIn }
  | { readonly kind: 'expired' };

const storageKey = 'switchyard_session';
const state = createStore<SessionState>({ kind: 'unknown' });
const siblings = new BroadcastChannel('switchyard_session');

export function useSession(): SessionState {
  return useStore(state);
}

/** The token of this tab; undefined when nobody is signed in. */
export function currentSession(): SignedIn | undefined {
  const now = state.get();
  return now.kind === 'signed-in' ? now.session : undefined;
}

/** Uses this session in this tab and offers it to the others. */
export function adoptSession(session: SignedIn): void {
  sessionStorage.setItem(storageKey, JSON.stringify(session));
  state.set({ kind: 'signed-in', session });
  siblings.postMessage({ kind: 'session', session });
}

/** Called when the service answers 401 to the token in use. @param token a late refusal of an earlier token is ignored */
export function refuseSession(token: string): void {
  if (currentSession()?.access_token !== token) return;
  sessionStorage.removeItem(storageKey);
  state.set({ kind: 'expired' });
}

/** Forgets the session in this tab and its siblings. */
export function forgetSession(): void {
  sessionStorage.removeItem(storageKey);
  state.set({ kind: 'none' });
  siblings.postMessage({ kind: 'signed-out' });
}

/** Finds a session: the one kept for this tab, else one of a sibling tab. */
export async function findSession(): Promise<void> {
  listenToSiblings();
  const kept = parseSession(sessionStorage.getItem(storageKey));
  if (kept !== undefined) return state.set({ kind: 'signed-in', session: kept });
  siblings.postMessage({ kind: 'need-session' });
  await answerOfSiblings();
  if (state.get().kind === 'unknown') state.set({ kind: 'none' });
}

const siblingAnswerMs = 250;

async function answerOfSiblings(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const unsubscribe = state.subscribe(done);
    const timer = setTimeout(done, siblingAnswerMs);
  });
}

function listenToSiblings(): void {
  siblings.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isObject(data)) return;
    const mine = currentSession();
    if (data['kind'] === 'need-session' && mine !== undefined) {
      siblings.postMessage({ kind: 'session', session: mine });
    } else if (data['kind'] === 'session' && mine === undefined) {
      const session = sessionOf(data['session']);
      if (session === undefined) return;
      sessionStorage.setItem(storageKey, JSON.stringify(session));
      state.set({ kind: 'signed-in', session });
    } else if (data['kind'] === 'signed-out') {
      sessionStorage.removeItem(storageKey);
      state.set({ kind: 'none' });
    }
  });
}

function parseSession(text: string | null): SignedIn | undefined {
  try {
    return sessionOf(JSON.parse(text ?? 'null'));
  } catch {
    return undefined;
  }
}

function sessionOf(value: unknown): SignedIn | undefined {
  if (!isObject(value)) return undefined;
  const { session_id, access_token, expires_at } = value;
  if (typeof session_id !== 'string' || typeof access_token !== 'string' || typeof expires_at !== 'string')
    return undefined;
  return Date.parse(expires_at) > Date.now() - maxClockErrorMs ? { session_id, access_token, expires_at } : undefined;
}

/** A browser whose clock is wrong must not lose a session that the service still accepts. */
const maxClockErrorMs = 24 * 3_600_000;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
