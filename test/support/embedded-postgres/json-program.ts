// Runs a program of these tests as a process of its own and reads the messages that it prints, one JSON a line.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const messageShape = z.object({
  event: z.string(),
  line: z.string().optional(),
  pid: z.number().optional(),
  superuser: z
    .object({ host: z.string(), port: z.number(), user: z.string(), password: z.string(), database: z.string() })
    .optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  remedy: z.string().optional(),
});
type Message = z.infer<typeof messageShape>;

/** `command` is the whole command line; `uid` runs it as another user and group. */
export interface JsonProgramOptions {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
}

/** A running program; disposing it ends its standard input and waits, and kills it when it does not end by itself. */
export class JsonProgram implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #messages: Message[] = [];
  readonly #errors: string[] = [];
  readonly #closed: Promise<void>;
  #isClosed = false;
  #wake = Promise.withResolvers<void>();

  constructor({ command: [file = '', ...args], env, cwd, uid }: JsonProgramOptions) {
    this.#child = spawn(file, args, {
      env: env ?? process.env,
      cwd,
      ...(uid !== undefined && { uid, gid: uid }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#errors.push(text));
    if (this.#child.stdout) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.#messages.push(messageShape.parse(JSON.parse(line)));
        this.#notify();
      });
    }
    this.#closed = this.#awaitClose();
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program did not start');
    return this.#child.pid;
  }

  get logged(): string[] {
    return this.#messages.flatMap(({ line }) => line ?? []);
  }

  /** The first message with one of these events, now or when it comes. */
  async message(...events: readonly string[]): Promise<Message> {
    for (;;) {
      const found = this.#messages.find(({ event }) => events.includes(event));
      if (found) return found;
      if (this.#isClosed) throw new Error(`it ended before ${events.join(' or ')}: ${this.#received()}`);
      await this.#wake.promise;
    }
  }

  /** Writes a line to its standard input. */
  send(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 60_000);
    await this.#closed;
    clearTimeout(timer);
  }

  #received(): string {
    return JSON.stringify(this.#messages.slice(-3)) + this.#errors.join('');
  }

  async #awaitClose(): Promise<void> {
    await once(this.#child, 'close');
    this.#isClosed = true;
    this.#notify();
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
