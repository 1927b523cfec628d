// A worker that knows the wire alone, as a stranger would write it: stream, events, release, heartbeat, no more.
import { createParser } from 'eventsource-parser';
import type { Assignment } from '../../../src/contracts/worker.ts';

const env = (name: string): string => process.env[name] ?? '';
const url = env('CHAOS_URL');
const slots = Number(env('CHAOS_SLOTS'));
const headers = { authorization: `Bearer ${env('CHAOS_TOKEN')}`, 'content-type': 'application/json' };
/** Of a connection that is half open nothing ever comes. */
const answerMs = 4_000;
/** The service beats every 15 s. */
const silenceMs = 20_000;
const held = new Map<string, string>();

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Says it until somebody answers: the service may be down for a while. */
async function post(path: string, body: unknown): Promise<Response> {
  for (;;) {
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      if (response.status < 500) return response;
      await response.body?.cancel();
    } catch {
      // Down: again.
    }
    await pause(50);
  }
}

async function run(assignment: Assignment): Promise<void> {
  const { task, lease_token } = assignment;
  if (held.get(task.id) === lease_token) return;
  held.set(task.id, lease_token);
  const events = [{ type: 'output', n: 1, stream: 'agent', text: `${process.pid} on ${task.title}` }];
  const taken = await post(`/v1/worker/tasks/${task.id}/events`, { lease_token, events });
  await taken.body?.cancel();
  if (taken.status === 200) {
    await pause(Math.random() * 20);
    const end = await post(`/v1/worker/tasks/${task.id}/release`, {
      lease_token,
      status: 'completed',
      result: task.title,
    });
    await end.body?.cancel();
  }
  if (held.get(task.id) === lease_token) held.delete(task.id);
}

async function register(): Promise<string> {
  const body = { name: env('CHAOS_NAME'), slots, codebases: [{ codebase_id: 'global', name: 'g', path: '/nowhere' }] };
  const response = await post('/v1/agent/workers/register', body);
  const registered: { worker: { worker_id: string } } = JSON.parse(await response.text());
  return registered.worker.worker_id;
}

async function listen(workerId: string): Promise<void> {
  const query = `worker_id=${workerId}&slots=${slots - held.size}`;
  const silent = new AbortController();
  const watch = setTimeout(() => silent.abort(), silenceMs);
  const response = await fetch(`${url}/v1/worker/tasks/stream?${query}`, { headers, signal: silent.signal });
  const parser = createParser({
    onEvent: ({ event, data }) => {
      // Owned: `run` posts until it is answered, and never rejects but by a bug, which ends the process.
      if (event === 'task_assigned') void run(JSON.parse(data));
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    watch.refresh();
    parser.feed(decoder.decode(chunk, { stream: true }));
  }
  clearTimeout(watch);
}

const workerId = await register();
process.stdout.write('ready\n');
setInterval(() => {
  const running = [...held].map(([task_id, lease_token]) => ({ task_id, lease_token }));
  void post(`/v1/agent/workers/${workerId}/heartbeat`, { running, slots_free: Math.max(0, slots - held.size) }).then(
    (response) => response.body?.cancel(),
  );
}, 500);
for (;;) {
  await listen(workerId).catch(() => undefined);
  await pause(50);
}
