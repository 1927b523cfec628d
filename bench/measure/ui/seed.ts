// Data for the bench of the pages: many tasks, a long log that grows, a large diff. All of it goes through the API.
import { z } from 'zod';

export interface UiSeedSize {
  readonly tasks: number;
  readonly lines: number;
  readonly files: number;
}

export interface UiSeed extends AsyncDisposable {
  readonly logTask: string;
  readonly diffTask: string;
}

export interface SeedTarget {
  readonly url: string;
  readonly token: string;
  readonly log: (line: string) => void;
}

const createdTask = z.object({ task: z.object({ id: z.string() }) });
const registeredWorker = z.object({ worker: z.object({ worker_id: z.string() }) });
const claimedTasks = z.object({ tasks: z.array(z.object({ lease_token: z.string() })) });

const callsAtOnce = 16;
const linesOfEvent = 50;
const eventsOfCall = 40;
const liveMs = 100;
const heartbeatMs = 10_000;

/** Until it is disposed of, the log grows by 500 lines a second. */
export async function seedPages(target: SeedTarget, size: UiSeedSize): Promise<UiSeed> {
  target.log(`seeding: a diff of ${size.files} files`);
  const workerId = await registerWorker(target);
  const diff = await holdTask(target, workerId, 'A large change');
  const diffEvent = { type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: patchOf(size.files) };
  await post(target, `/v1/worker/tasks/${diff.id}/events`, { lease_token: diff.lease, events: [diffEvent] });
  await post(target, `/v1/worker/tasks/${diff.id}/release`, { lease_token: diff.lease, status: 'completed' });
  target.log(`seeding: a log of ${size.lines} lines`);
  const held = await holdTask(target, workerId, 'A long log');
  const writer = new LogWriter(target, held);
  await writer.writeLines(size.lines);
  target.log(`seeding: ${size.tasks} tasks`);
  await createTasks(target, size.tasks);
  const ended = new AbortController();
  const live = Promise.all([writer.writeUntil(ended.signal), keepAlive(target, workerId, held, ended.signal)]);
  return {
    logTask: held.id,
    diffTask: diff.id,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await live;
    },
  };
}

async function createTasks(target: SeedTarget, tasks: number): Promise<void> {
  let next = 0;
  const create = async (): Promise<void> => {
    while (next < tasks) {
      next += 1;
      // Nobody serves this codebase: the tasks wait, as in a long queue.
      const body = { title: `Task ${next} of many`, prompt: 'Do what the title says.', codebase_id: 'global' };
      await post(target, '/v1/agent/tasks', body);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, create));
}

interface HeldTask {
  readonly id: string;
  readonly lease: string;
}

async function registerWorker(target: SeedTarget): Promise<string> {
  const codebases = [{ codebase_id: 'global', name: 'global', path: '/nowhere' }];
  const body = { name: 'bench', slots: 4, codebases, agents: ['claude'] };
  return registeredWorker.parse(await post(target, '/v1/agent/workers/register', body)).worker.worker_id;
}

async function holdTask(target: SeedTarget, workerId: string, title: string): Promise<HeldTask> {
  const body = { title, prompt: 'Do it.', codebase_id: 'global' };
  const { task } = createdTask.parse(await post(target, '/v1/agent/tasks', body));
  const claim = { worker_id: workerId, limit: 1, task_id: task.id };
  const { tasks } = claimedTasks.parse(await post(target, '/v1/worker/tasks/claim', claim));
  const [held] = tasks;
  if (held === undefined) throw new Error(`the task ${title} was not claimed`);
  return { id: task.id, lease: held.lease_token };
}

class LogWriter {
  readonly #target: SeedTarget;
  readonly #held: HeldTask;
  #events = 0;
  #lines = 0;

  constructor(target: SeedTarget, held: HeldTask) {
    this.#target = target;
    this.#held = held;
  }

  async writeLines(lines: number): Promise<void> {
    while (this.#lines < lines) {
      const left = Math.ceil((lines - this.#lines) / linesOfEvent);
      await this.#write(Math.min(eventsOfCall, left));
    }
  }

  async writeUntil(signal: AbortSignal): Promise<void> {
    for (let due = performance.now() + liveMs; !signal.aborted; due += liveMs) {
      await this.#write(1);
      await delay(due - performance.now());
    }
  }

  async #write(events: number): Promise<void> {
    const written = Array.from({ length: events }, () => {
      this.#events += 1;
      return { type: 'output', n: this.#events, stream: 'agent', text: this.#nextLines() };
    });
    const body = { lease_token: this.#held.lease, events: written };
    await post(this.#target, `/v1/worker/tasks/${this.#held.id}/events`, body);
  }

  #nextLines(): string {
    let text = '';
    for (let i = 0; i < linesOfEvent; i += 1) {
      this.#lines += 1;
      const mark = this.#lines % 7 === 0 ? '\u001B[32mok\u001B[0m' : 'ok';
      text += `${mark} test ${this.#lines}: the upload is tried again after a network error, with a pause\n`;
    }
    return text;
  }
}

async function keepAlive(target: SeedTarget, workerId: string, held: HeldTask, signal: AbortSignal): Promise<void> {
  const running = [{ task_id: held.id, lease_token: held.lease }];
  while (!signal.aborted) {
    await post(target, `/v1/agent/workers/${workerId}/heartbeat`, { running });
    await delay(heartbeatMs, signal);
  }
}

function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Two hunks in each file. */
function patchOf(files: number): string {
  const file = (i: number): string => {
    const path = `src/part-${i % 50}/file-${i}.ts`;
    return [
      `diff --git a/${path} b/${path}`,
      'index 1111111..2222222 100644',
      `--- a/${path}`,
      `+++ b/${path}`,
      ...[10, 200].flatMap((line) => [
        `@@ -${line},4 +${line},5 @@`,
        ' const before = read();',
        `-const value = old(${i});`,
        `+const value = fresh(${i});`,
        '+check(value);',
        ' write(value);',
        ' done();',
      ]),
    ].join('\n');
  };
  return `${Array.from({ length: files }, (_, i) => file(i)).join('\n')}\n`;
}

async function post({ url, token }: SeedTarget, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
