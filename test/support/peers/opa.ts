// A real Open Policy Agent with the policies of this project, for tests: found, started, killed, started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findPeer } from './peer-program.ts';
import { freePort } from '../process/program.ts';
import { suspendProcess } from '../process/suspend-process.ts';
import { until } from '../until.ts';

const policies = path.resolve(import.meta.dirname, '../../../policies');
const decision = '/v1/data/switchyard/authz/allow';

/** As `findPeer` finds it. */
export function findOpa(): string | undefined {
  return findPeer({ name: 'Open Policy Agent', variable: 'OPA_BIN', programs: ['opa'] });
}

/** A policy server on a port of its own, which it keeps when it is started again. */
export class OpaServer implements AsyncDisposable {
  readonly #program: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(program: string, port: number) {
    this.#program = program;
    this.#port = port;
  }

  /** Resolves once it decides. */
  static async start(program: string): Promise<OpaServer> {
    const server = new OpaServer(program, await freePort());
    await server.again();
    return server;
  }

  /** The address of a decision. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}${decision}`;
  }

  /** Starts it where it does not run. */
  async again(): Promise<void> {
    const args = ['run', '--server', '--addr', `127.0.0.1:${this.#port}`, '--disable-telemetry'];
    const child = spawn(this.#program, [...args, '--log-level', 'error', policies], { stdio: 'ignore' });
    this.#child = child;
    await until('a decision of the policy server', async () => {
      if (child.exitCode !== null) throw new Error(`the policy server ended with ${child.exitCode}`);
      const answer = await fetch(this.url, { method: 'POST', body: '{"input":{}}' }).catch(() => undefined);
      return answer?.status === 200 && (await answer.text()).includes('false');
    });
  }

  /** It goes without a word, as by `kill -9`; settles when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** It holds its connections and answers nothing more, until it is let go on. */
  async freeze(): Promise<void> {
    if (this.#child?.pid !== undefined) await suspendProcess(this.#child.pid);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
