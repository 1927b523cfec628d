// Messages of people on their way to one run: the worker puts them in, an agent that listens while it works takes them.
import { nextNotification, type Waiter } from '../../../lib/wait.ts';

/** What a person says to a run under way. choices-3 and choices-6. */
export interface LiveMessage {
  /** Of the intervention that brings it; each comes once. */
  id: string;
  text: string;
}

/**
 * The agent's side. Taking a message is the agent's word that it has it: from then on it counts as delivered, so a
 * message is taken when it can be given to the model, not before.
 */
export interface Inbox {
  /** All that waits, in the order in which it came. */
  take(): LiveMessage[];
  /** Resolves when something waits to be taken, the inbox is closed, or `signal` aborts. */
  arrived(signal: AbortSignal): Promise<void>;
  /**
   * Closes it for good, unless something waits: then it answers false, and the agent goes on with that first. An agent
   * ends its run only behind a closed inbox, so that no message falls between its last look and its end.
   */
  close(): boolean;
}

/** The worker's side. */
export interface OpenInbox extends Inbox {
  /** False: it is closed, the message stays with the caller. */
  put(message: LiveMessage): boolean;
  /** Closes it whatever waits. @returns what nobody has taken */
  shut(): LiveMessage[];
}

/** @param onTaken called for each message when the agent takes it */
export function createInbox(onTaken: (message: LiveMessage) => void = () => undefined): OpenInbox {
  let waiting: LiveMessage[] = [];
  let closed = false;
  const waiters = new Set<Waiter>();

  function wake(): void {
    for (const waiter of waiters) waiter.notify?.();
  }

  return {
    take() {
      const taken = waiting;
      waiting = [];
      for (const message of taken) onTaken(message);
      return taken;
    },
    async arrived(signal) {
      if (waiting.length > 0 || closed || signal.aborted) return;
      const waiter: Waiter = { notify: undefined };
      waiters.add(waiter);
      await nextNotification(waiter, signal);
      waiters.delete(waiter);
    },
    close() {
      if (waiting.length > 0) return false;
      closed = true;
      wake();
      return true;
    },
    put(message) {
      if (closed) return false;
      waiting.push(message);
      wake();
      return true;
    },
    shut() {
      const left = waiting;
      waiting = [];
      closed = true;
      wake();
      return left;
    },
  };
}
