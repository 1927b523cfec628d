// A worker that knows the wire alone, as a stranger would write it: stream, events, release, heartbeat, no more.
import { createParser } from 'eventsource-parser';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';

const env = (name: string): string => process.env[name] ?? '';
const url = env('CHAOS_URL');
const slots = Number(env('CHAOS_SLOTS'));
const headers = { authorization: `Bearer ${env('CHAOS_TOKEN')}`, 'content-type': 'application/json' };
/** Nothing ever arrives on a half-open connection. */
const answerMs = 4_000;
/** The service sends a heartbeat every 15 s. */
const silenceMs = 17_000;
const held = new Map<string, string>();
/** The push channel, and the slots that it was opened with. */
let stream = new AbortController();
let declared = slots;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function postOnce(path: string, body: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  });
}

/** Says it until somebody answers: the service may be down for a while. */
async function post(path: string, body: unknown): Promise<Response> {
  for (;;) {
    try {
      const response = await postOnce(path, body);
      if (response.status < 500) return response;
      await response.body?.cancel();
    } catch {
      // Down: again.
    }
    await pause(50);
  }
}

async function run(assignment: AssignmentWire): Promise<void> {
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
  // The channel was opened with fewer slots than are free now: once more, with all of them.
  if (slots - held.size > declared) stream.abort();
}

async function register(): Promise<string> {
  const body = { name: env('CHAOS_NAME'), slots, codebases: [{ codebase_id: 'global', name: 'g', path: '/nowhere' }] };
  const response = await post('/v1/agent/workers/register', body);
  const registered: { worker: { worker_id: string } } = JSON.parse(await response.text());
  return registered.worker.worker_id;
}

async function listen(workerId: string): Promise<void> {
  declared = Math.max(0, slots - held.size);
  stream = new AbortController();
  const { signal } = stream;
  const watch = setTimeout(() => stream.abort(), silenceMs);
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'connected') process.stdout.write('up\n');
      // Owned: `run` posts until it is answered, and never rejects but by a bug, which ends the process.
      if (event === 'task_assigned') void run(JSON.parse(data));
    },
  });
  const decoder = new TextDecoder();
  try {
    const query = `worker_id=${workerId}&slots=${declared}`;
    const response = await fetch(`${url}/v1/worker/tasks/stream?${query}`, { headers, signal });
    for await (const chunk of response.body ?? []) {
      watch.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    clearTimeout(watch);
  }
}

async function sendHeartbeat(workerId: string): Promise<void> {
  const running = [...held].map(([task_id, lease_token]) => ({ task_id, lease_token }));
  const body = { running, slots_free: Math.max(0, slots - held.size) };
  const response = await postOnce(`/v1/agent/workers/${workerId}/heartbeat`, body);
  await response.body?.cancel();
}

/** One at a time, each with what is so then: those of a service that is slow must not pile up. */
async function sendHeartbeats(workerId: string): Promise<never> {
  for (;;) {
    await sendHeartbeat(workerId).catch(() => undefined);
    await pause(500);
  }
}

async function listenOn(workerId: string): Promise<never> {
  for (;;) {
    await listen(workerId).catch(() => undefined);
    process.stdout.write('down\n');
    await pause(50);
  }
}

const workerId = await register();
process.stdout.write('ready\n');
await Promise.all([sendHeartbeats(workerId), listenOn(workerId)]);
