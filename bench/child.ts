// A process of the bench: forked, controlled over its IPC channel, ended by its id. The service, every peer, the
// load generator and the worker are separate processes, so that the CPU of each is measured separately.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

const reply = z.object({ id: z.number(), output: z.unknown().optional(), error: z.string().optional() });

/** Milliseconds that a process has to close its resources before it is killed. */
const closeTimeoutMs = 15_000;

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class BenchProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #name: string;
  readonly #exited: Promise<unknown>;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** @param script of `bench/processes`; `nodeArguments` go before it */
  constructor(script: string, nodeArguments: readonly string[] = []) {
    this.#name = script;
    this.#process = fork(new URL(`./processes/${script}.ts`, import.meta.url), {
      execArgv: [...nodeArguments],
      // Warnings of peers would mix with our output; errors are returned over the channel.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#exited = once(this.#process, 'exit');
    this.#process.on('message', (message) => this.#onReply(message));
    this.#process.on('exit', (code, signal) => {
      const exitReason = `${this.#name} (process ${this.pid}) ended before it answered: ${signal ?? code}`;
      for (const { reject } of this.#pending.values()) reject(new Error(exitReason));
    });
  }

  get pid(): number {
    if (this.#process.pid === undefined) throw new Error(`${this.#name} did not start`);
    return this.#process.pid;
  }

  /** Sends a command to the process. @throws the error of the command, or one after `timeoutMs` */
  async request<T>(name: string, input: unknown, answer: z.ZodType<T>, timeoutMs = 60_000): Promise<T> {
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new Error(`${this.#name} took too long to ${name}`)), timeoutMs);
    this.#pending.set(id, { resolve, reject });
    this.#process.send({ id, name, input });
    try {
      return answer.parse(await promise);
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  #onReply(message: unknown): void {
    const { id, output, error } = reply.parse(message);
    const pending = this.#pending.get(id);
    if (error === undefined) pending?.resolve(output);
    else pending?.reject(new Error(`${this.#name}: ${error}`));
  }

  /** The process closes its resources when its channel ends; one that does not is killed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), closeTimeoutMs);
    await this.#exited;
    clearTimeout(timer);
  }
}
