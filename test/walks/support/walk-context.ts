// The tools of one walk: the service as a user calls it, workers and repositories of its own, all ended with it.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CodebaseWire } from '../../../src/contracts/codebase.ts';
import type { TaskWire } from '../../../src/contracts/task.ts';
import type { ApiReply } from '../../support/service.ts';
import { run, type Ended } from '../../support/process/program.ts';
import { openStream, type Frame } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';
import { openReceiver, type Receiver } from '../../support/peers/webhook-receiver.ts';
import { script } from '../../support/worker/local-worker.ts';
import { tokenOf, type Subject } from './credentials.ts';
import type { Deployment } from './deployment.ts';
import { fileAfter, makeRepository } from './repository.ts';
import { installedCommand } from './service-process.ts';
import { WalkWorker, type WorkerOptions } from './worker-process.ts';

export interface WalkCallOptions {
  readonly as?: Subject;
  /** In place of the subject's own; null: none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The replica, by number; each in turn by default. */
  readonly at?: number;
  /** On the port of the tool protocol alone. */
  readonly tools?: true;
}

/** How long something may take that has to come. */
const patienceMs = 60_000;
const final = new Set(['completed', 'failed', 'cancelled']);

export class WalkContext implements AsyncDisposable {
  readonly deployment: Deployment;
  readonly folder: string;
  /** The user of calls that name none, and the user of its workers. */
  user: Subject = 'editor';
  agent: Subject = 'agent';
  readonly #opened = new AsyncDisposableStack();
  readonly #workers: WalkWorker[] = [];

  private constructor(deployment: Deployment, folder: string) {
    this.deployment = deployment;
    this.folder = folder;
  }

  static async open(deployment: Deployment): Promise<WalkContext> {
    const folder = path.join(deployment.folder, `walk-${randomBytes(4).toString('hex')}`);
    await mkdir(folder);
    return new WalkContext(deployment, folder);
  }

  /** Ends with the walk. */
  use<T extends AsyncDisposable>(thing: T): T {
    return this.#opened.use(thing);
  }

  async call(method: string, where: string, options: WalkCallOptions = {}): Promise<ApiReply> {
    const { as = this.user, body, headers = {}, at } = options;
    const service = at === undefined ? this.deployment.next() : this.deployment.at(at);
    const token = options.token === undefined ? tokenOf(as) : options.token;
    const response = await fetch(`${options.tools === true ? service.toolUrl : service.url}${where}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** As `call`. @throws Error with the answer when its status is another */
  async must(status: number, method: string, where: string, options: WalkCallOptions = {}): Promise<ApiReply['body']> {
    const reply = await this.call(method, where, options);
    if (reply.status === status) return reply.body;
    throw new Error(`${method} ${where}: ${reply.status} and not ${status}: ${JSON.stringify(reply.body)}`);
  }

  /** A repository below the scene’s folder. */
  repository(name = 'repository', files: Record<string, string> = { 'kept.txt': 'kept\n' }): Promise<string> {
    return makeRepository(path.join(this.folder, name), files);
  }

  /** A worker of this scene alone, with a name of its own. */
  async worker(options: Partial<WorkerOptions> = {}): Promise<WalkWorker> {
    const name = options.name ?? `worker-${randomBytes(4).toString('hex')}`;
    const worker = await WalkWorker.start({
      url: this.deployment.next().url,
      folder: path.join(this.folder, `of-${name}`),
      roots: this.folder,
      as: this.agent,
      ...options,
      name,
    });
    this.#workers.push(worker);
    return this.use(worker);
  }

  /** A worker with one repository, and the codebase that it is to the service. */
  async workplace(
    options: Partial<WorkerOptions> = {},
  ): Promise<{ worker: WalkWorker; repository: string; codebaseId: string }> {
    const repository = await this.repository(`repository-${randomBytes(4).toString('hex')}`);
    const worker = await this.worker({ codebases: [{ path: repository }], ...options });
    return { worker, repository, codebaseId: (await this.codebaseAt(worker, repository)).codebase_id };
  }

  async codebaseAt(worker: WalkWorker, at: string): Promise<CodebaseWire> {
    const { codebases } = await this.must(200, 'GET', `/v1/agent/codebases?limit=200&worker_id=${worker.id}`);
    const found = codebases.find(({ bindings }: CodebaseWire) =>
      bindings.some((one) => one.worker_id === worker.id && one.path === at),
    );
    if (found === undefined) throw new Error(`${worker.name} has no codebase at ${at}`);
    return found;
  }

  /** Creates a task over the agent family. */
  async task(codebaseId: string, lines: readonly string[], fields: Record<string, unknown> = {}): Promise<string> {
    const body = { title: 'a walk', prompt: script(...lines), codebase_id: codebaseId, ...fields };
    return (await this.must(201, 'POST', '/v1/agent/tasks', { body })).task.id;
  }

  async get(id: string): Promise<TaskWire> {
    return (await this.must(200, 'GET', `/v1/agent/tasks/${id}`)).task;
  }

  /** Follows a task until one of its events is what is looked for. @throws Error when there is none before its end */
  async seen(
    id: string,
    what: string,
    isIt: (event: { type: string; data: Record<string, unknown> }) => boolean,
  ): Promise<void> {
    const frames = await this.#frames(id, isIt);
    if (frames.some((frame) => isIt(frame.data))) return;
    throw new Error(`there was no ${what}: ${JSON.stringify(await this.get(id))}`);
  }

  /** Waits until the agent has printed a text in one piece. */
  printed(id: string, text: string): Promise<void> {
    return this.seen(
      id,
      `output ${text}`,
      ({ type, data }) => type === 'output' && String(data['text']).includes(text),
    );
  }

  inState(id: string, status: string): Promise<void> {
    return this.seen(id, status, ({ type, data }) => type === 'status' && data['status'] === status);
  }

  /** Follows a task to its end; a stream that ends before, with its replica, is opened again. */
  async ended(id: string): Promise<TaskWire> {
    let task: TaskWire | undefined;
    const readEnd = async (): Promise<TaskWire | false> => {
      await this.#frames(id).catch(() => []);
      task = await this.get(id);
      return final.has(task.status) && task;
    };
    return until(`the end of task ${id}`, readEnd, patienceMs).catch((error: unknown) => {
      throw new Error(`the task does not end: ${JSON.stringify(task)}`, { cause: error });
    });
  }

  /** A task’s stream until it is over, or one of its events is what is looked for, or patience is. */
  async #frames(
    id: string,
    isLast: (event: { type: string; data: Record<string, unknown> }) => boolean = () => false,
  ): Promise<readonly Frame[]> {
    await using stream = await openStream(this.caller(), `/v1/agent/tasks/${id}/events`);
    const timer = setTimeout(() => void stream.close(), patienceMs);
    try {
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next())
        if (isLast(frame.data)) break;
    } finally {
      clearTimeout(timer);
    }
    return stream.frames;
  }

  /** @throws Error with the task when it did not complete */
  async completed(id: string): Promise<TaskWire> {
    const task = await this.ended(id);
    if (task.status !== 'completed') throw new Error(`the task did not complete: ${JSON.stringify(task)}`);
    return task;
  }

  /** The output of the agent. */
  async output(id: string): Promise<string> {
    const { output } = await this.must(200, 'GET', `/v1/agent/tasks/${id}/output`);
    return output.map(({ text }: { text: string }) => text).join('');
  }

  async diff(id: string): Promise<string> {
    return (await this.must(200, 'GET', `/v1/agent/tasks/${id}/artifacts/diff`)).artifact.text;
  }

  /** The content of a file in the repository once the completed task’s diff was applied with git. */
  async made(id: string, repository: string, file: string): Promise<string | undefined> {
    await this.completed(id);
    return fileAfter(repository, await this.diff(id), file);
  }

  /** The command line, by somebody who stands in the scene’s folder. */
  cli(as: Subject, ...args: string[]): Promise<Ended> {
    const env = { SWITCHYARD_URL: this.deployment.next().url, SWITCHYARD_TOKEN: tokenOf(as) };
    return run(args, { command: installedCommand, cwd: this.folder, env });
  }

  async receiver(): Promise<Receiver> {
    return this.use(await openReceiver());
  }

  /** An API key of its own, so that what is counted by credential is this walk’s. */
  async key(
    scopes: readonly string[] = ['automation:*', 'tasks:*'],
    as = this.user,
  ): Promise<{ id: string; token: string }> {
    const made = await this.must(201, 'POST', '/v1/auth/api-keys', { as, body: { name: 'a walk', scopes } });
    return { id: made.api_key.id, token: made.key };
  }

  /** One of the replicas, as helpers of other tests take it. */
  caller(as = this.user, at?: number): { url: string; token: () => string } {
    const { url } = at === undefined ? this.deployment.next() : this.deployment.at(at);
    return { url, token: () => tokenOf(as) };
  }

  /** The output of every process of the walk and of its deployment. */
  report(): string {
    const workers = this.#workers.map((worker) => `worker ${worker.name}:\n${worker.printed.slice(-6000)}`);
    const services = this.deployment.services.map(({ url, printed }) => `service ${url}:\n${printed.slice(-6000)}`);
    return [...workers, ...services].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
