// A REPL in a thread of its own, opened with its first block and opened anew after it had to be ended.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  fromThread,
  type ContextPart,
  type FromThread,
  type GuestBlockEnd,
  type HostReply,
  type ThreadData,
  type ToThread,
} from './protocol.ts';

export interface ReplOptions {
  readonly memoryMb: number;
  /** Computing time of one block; the thread is ended at twice of it. */
  readonly blockMs: number;
  readonly maxOutputChars: number;
  /** Answers a call of code in the REPL: `llm`, `llmBatch`, `rlm`, `files.*`, `elapsed`. */
  readonly answerCall: (name: string, args: readonly unknown[]) => Promise<HostReply>;
  /** Ends the running block. */
  readonly signal: AbortSignal;
}

export interface BlockEnd extends GuestBlockEnd {
  /** The thread was ended: its variables are gone. */
  readonly killed: boolean;
}

const stackMb = 16;

/** Ends a thread that computes for too long; the time in which it waits for the worker does not count. */
class Watchdog {
  readonly #bite: () => void;
  #leftMs: number;
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(leftMs: number, bite: () => void) {
    this.#leftMs = leftMs;
    this.#bite = bite;
  }

  resume(): void {
    this.#startedMs = performance.now();
    this.#timer = setTimeout(this.#bite, this.#leftMs);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedMs));
  }
}

export class Repl implements AsyncDisposable {
  readonly #options: ReplOptions;
  readonly #parts: ContextPart[] = [];
  #thread: Thread | undefined;

  constructor(options: ReplOptions) {
    this.#options = options;
  }

  get parts(): readonly ContextPart[] {
    return this.#parts;
  }

  addPart(part: ContextPart): void {
    this.#parts.push(part);
    this.#thread?.send({ type: 'part', part });
  }

  /** Runs a block to its end. @throws the signal's reason; what `answerCall` throws */
  async run(code: string): Promise<BlockEnd> {
    const { signal, blockMs, answerCall } = this.#options;
    signal.throwIfAborted();
    const thread = (this.#thread ??= openThread(this.#options, this.#parts));
    const ended = Promise.withResolvers<GuestBlockEnd | string>();
    const watchdog = new Watchdog(2 * blockMs, () =>
      ended.resolve(`it computed for more than ${(2 * blockMs) / 1000} s`),
    );
    const serve = async (message: FromThread): Promise<void> => {
      if (message.type === 'done') ended.resolve(message.end);
      if (message.type !== 'call') return;
      watchdog.pause();
      const reply = await answerCall(message.name, message.args);
      watchdog.resume();
      thread.send({ type: 'reply', reply });
    };
    const onAbort = (): void => ended.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const died = await Promise.race([thread.ready, ended.promise]);
      if (died !== undefined) return await this.#replace(died);
      watchdog.resume();
      thread.listen(
        (message) => void serve(message).catch((error: unknown) => ended.reject(error)),
        (reason) => ended.resolve(reason),
      );
      thread.send({ type: 'run', code });
      const end = await ended.promise;
      return typeof end === 'string' ? await this.#replace(end) : { ...end, killed: false };
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      watchdog.pause();
      signal.removeEventListener('abort', onAbort);
      thread.listen(undefined, undefined);
    }
  }

  /** Ends the thread. The next block opens another, with the context and without variables. */
  async #replace(reason: GuestBlockEnd | string): Promise<BlockEnd> {
    await this[Symbol.asyncDispose]();
    const why = typeof reason === 'string' ? reason : 'it ended early';
    const output = `The REPL was ended: ${why}. The next block runs in a new one: context is there, all variables are gone.\n`;
    return { output, ok: false, killed: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

interface Thread {
  /** Resolves when the thread takes blocks; with the reason when it cannot start. */
  readonly ready: Promise<string | undefined>;
  send(message: ToThread): void;
  /** Sets who gets the thread's messages and the reason of its death. */
  listen(onMessage: ((message: FromThread) => void) | undefined, onDeath: ((reason: string) => void) | undefined): void;
  end(): Promise<void>;
}

/** The thread gets an empty environment and no options of this process. */
function openThread(limits: ReplOptions, parts: readonly ContextPart[]): Thread {
  const { memoryMb, blockMs, maxOutputChars } = limits;
  const signal = new SharedArrayBuffer(4);
  const counter = new Int32Array(signal);
  // The compiled program has the thread's file beside this one too, with another ending.
  const file = new URL(`./repl-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, {
    workerData: { signal, memoryMb, blockMs, maxOutputChars } satisfies ThreadData,
    env: {},
    execArgv: [],
    argv: [],
    resourceLimits: { stackSizeMb: stackMb },
  });
  const ready = Promise.withResolvers<string | undefined>();
  let onMessage: ((message: FromThread) => void) | undefined;
  let onDeath: ((reason: string) => void) | undefined;
  const die = (reason: string): void => {
    ready.resolve(reason);
    onDeath?.(reason);
  };
  worker.on('message', (given) => {
    const message = fromThread.parse(given);
    if (message.type === 'ready') ready.resolve(undefined);
    else onMessage?.(message);
  });
  worker.on('error', (error) =>
    die(`it failed (${error instanceof Error ? error.message.slice(0, 200) : 'no reason'})`),
  );
  worker.on('exit', () => die('it ended'));
  const thread: Thread = {
    ready: ready.promise,
    send(message) {
      worker.postMessage(message, []);
      Atomics.add(counter, 0, 1);
      Atomics.notify(counter, 0);
    },
    listen(message, death) {
      onMessage = message;
      onDeath = death;
    },
    async end() {
      await worker.terminate();
    },
  };
  for (const part of parts) thread.send({ type: 'part', part });
  return thread;
}
