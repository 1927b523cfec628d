// Messages of people for one attempt: the worker puts them in, a live agent takes them while it works.
import { nextNotification, type Waiter } from '../../../lib/wait.ts';

/** A message of a person to a running attempt. choices-3 and choices-6. */
export interface LiveMessage {
  /** The id of its intervention; each id is put in once. */
  readonly id: string;
  readonly text: string;
}

/**
 * The agent's side. A taken message counts as delivered, so an agent takes it only when it can be given to the model.
 */
export interface Inbox {
  /** Takes all waiting messages, oldest first. */
  take(): LiveMessage[];
  /** Resolves when something waits to be taken, the inbox is closed, or `signal` aborts. */
  arrived(signal: AbortSignal): Promise<void>;
  /**
   * Closes the inbox for good, unless a message waits: then it returns false, and the agent handles the message first.
   * An agent ends its attempt only behind a closed inbox, so that no message is lost between its last `take` and its
   * end.
   */
  close(): boolean;
}

/** The worker's side. */
export interface OpenInbox extends Inbox {
  /** False: the inbox is closed, and the message stays with the caller. */
  put(message: LiveMessage): boolean;
  /** Closes it even if messages wait. @returns the messages that nobody took */
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
