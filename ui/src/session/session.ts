// The session of this tab: its token is in memory and sessionStorage alone. Tabs of this browser pass it on to new ones.
import type { Schemas } from '../../../src/client/client.ts';
import { createStore, useStore } from '../store.ts';

export interface SignedIn {
  readonly session_id: string;
  readonly access_token: string;
  readonly expires_at: string;
  /** Tenant and subject, once they are known. */
  readonly caller?: string | undefined;
}

/** `expired`: the service refused the token; the page stays, and the sign-in panel lies over it. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'signed-in'; readonly session: SignedIn }
  | { readonly kind: 'expired' };

/** All that pages keep in sessionStorage begins with it: the session, and drafts. */
const prefix = 'switchyard_';
const storageKey = `${prefix}session`;
/** The caller who has written what lies in this tab: the sign-in page may make a session of another one. */
const callerKey = `${prefix}caller`;
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

/** The session whose answers this page has shown. */
let shown: SignedIn | undefined;

/** Uses this session in this tab and offers it to the others. */
export function adoptSession(session: SignedIn): void {
  use(session);
  siblings.postMessage({ kind: 'session', session });
}

/** Answers and drafts of one caller are never shown to another: the page is loaded again, without the drafts. */
function use(session: SignedIn): void {
  const isOther = shown !== undefined && (session.caller === undefined || session.caller !== shown.caller);
  if (isOther) return startAnew(session);
  keep(session);
  shown = session;
  state.set({ kind: 'signed-in', session });
}

function startAnew(session: SignedIn): void {
  clearStorage();
  keep(session);
  location.reload();
}

function keep(session: SignedIn): void {
  sessionStorage.setItem(storageKey, JSON.stringify(session));
  if (session.caller !== undefined) sessionStorage.setItem(callerKey, session.caller);
}

export function callerOf({ tenant_id, subject }: Schemas['Me']): string {
  return JSON.stringify([tenant_id, subject]);
}

/** Called when the caller of the session is known. */
export function noteCaller(caller: string): void {
  const session = currentSession();
  if (session === undefined || session.caller !== undefined) return;
  const known = { ...session, caller };
  if ((sessionStorage.getItem(callerKey) ?? caller) !== caller) return startAnew(known);
  keep(known);
  shown = known;
  state.set({ kind: 'signed-in', session: known });
}

/** Removes the session and all drafts from this tab. */
function clearStorage(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

const endListeners = new Set<() => void>();

/** @param listener called when the person has signed out, here or in another tab */
export function onSignOut(listener: () => void): void {
  endListeners.add(listener);
}

function end(): void {
  clearStorage();
  state.set({ kind: 'none' });
  // In this order: what is emptied would be filled again with the token that has just ended.
  for (const listener of endListeners) listener();
}

/** Called when the service answers 401 to the token in use. @param token a late refusal of an earlier token is ignored */
export function refuseSession(token: string): void {
  if (currentSession()?.access_token !== token) return;
  sessionStorage.removeItem(storageKey);
  state.set({ kind: 'expired' });
}

/** Forgets the session, and all that was read and written with it, in this tab and its siblings. */
export function forgetSession(): void {
  end();
  siblings.postMessage({ kind: 'signed-out' });
}

/** Finds a session: the one kept for this tab, else one of a sibling tab. */
export async function findSession(): Promise<void> {
  listenToSiblings();
  const kept = parseSession(sessionStorage.getItem(storageKey));
  if (kept !== undefined) return use(kept);
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
      if (session !== undefined) use(session);
    } else if (data['kind'] === 'signed-out') {
      end();
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
  const { session_id, access_token, expires_at, caller } = value;
  if (typeof session_id !== 'string' || typeof access_token !== 'string' || typeof expires_at !== 'string')
    return undefined;
  if (Date.parse(expires_at) < Date.now() - maxClockErrorMs) return undefined;
  return { session_id, access_token, expires_at, caller: typeof caller === 'string' ? caller : undefined };
}

/** A browser whose clock is wrong must not lose a session that the service still accepts. */
const maxClockErrorMs = 24 * 3_600_000;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
