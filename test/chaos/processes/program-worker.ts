// A worker made of the worker program's own parts: registration, slots, leases, reports, spool, broker. Only the
// agent is missing: a task is worked on for some milliseconds, and its result is its title.
import { setTimeout as delay } from 'node:timers/promises';
import { subscribeToBroker } from '../../../src/worker/service/broker-subscription.ts';
import { createWorkerClient } from '../../../src/worker/service/client.ts';
import { systemClock as clock } from '../../../src/worker/base/clock.ts';
import { TaskProducer } from '../../../src/worker/fetch/task-producer.ts';
import { LeaseKeeper } from '../../../src/worker/service/lease-keeper.ts';
import { createLog } from '../../../src/worker/base/log.ts';
import { WorkerRegistration } from '../../../src/worker/service/registration.ts';
import { startAttempt } from '../../../src/worker/attempt/attempt.ts';
import { Slots } from '../../../src/worker/fetch/slots.ts';
import { replaySpool } from '../../../src/worker/report/replay.ts';
import { Spool } from '../../../src/worker/report/spool.ts';
import type { TaskRunner } from '../../../src/worker/attempt/task-runner.ts';

const env = (name: string): string => process.env[name] ?? '';
const serverUrl = env('CHAOS_URL');
const size = Number(env('CHAOS_SLOTS'));

const channelLines: Record<string, string> = { 'push channel open': 'up', 'push channel closed; reconnecting': 'down' };
const log = createLog({
  level: 'info',
  format: 'json',
  write(text) {
    const { msg = '' }: { msg?: string } = JSON.parse(text);
    const line = channelLines[msg];
    if (line !== undefined) process.stdout.write(`${line}\n`);
    else process.stderr.write(text);
  },
});
const never = new AbortController().signal;
const random = Math.random;

const taskRunner: TaskRunner = {
  async run(task, { emit }) {
    await emit({ type: 'output', stream: 'agent', text: `${process.pid} on ${task.title}` });
    await delay(random() * 20);
    return { status: 'completed', result: task.title, artifacts: [] };
  },
};

const client = createWorkerClient({ serverUrl, token: env('CHAOS_TOKEN'), fetch, userAgent: 'chaos' });
const spool = new Spool({ stateDir: env('CHAOS_STATE'), serverUrl, maxBytes: 50_000_000, clock, log });
const introduction = {
  name: env('CHAOS_NAME'),
  capabilities: [],
  hostname: 'chaos',
  version: '1.2.0',
  agents: [],
  models: [],
  slots: size,
  codebases: [{ codebase_id: 'global', name: 'g', path: '/nowhere', description: '' }],
};
const registration = await WorkerRegistration.open({ client, workerInfo: introduction, clock, random, log }, never);
const keeper = new LeaseKeeper({
  client,
  registration,
  slotsFree: () => slots.free(),
  onTasksWaiting: () => taskProducer.onTasksWaiting(),
  clock,
  random,
  log,
});
const slots: Slots = new Slots({
  size,
  start: (start) => startAttempt(start, { client, keeper, taskRunner, spool, clock, random, log, giveUp: never }),
  onFree: () => taskProducer.onSlotFree(),
});
const pollIntervalMs = Number(env('CHAOS_POLL_MS'));
const taskProducer = new TaskProducer({
  client,
  registration,
  slots,
  size,
  pollIntervalMs,
  clock,
  random,
  log,
});
const settings = { brokerUrl: env('CHAOS_BROKER'), brokerNamed: true };
subscribeToBroker({ settings, registration, onHint: () => taskProducer.onHint(), clock, random, log });
process.stdout.write('ready\n');
await Promise.all([
  taskProducer.run(never),
  keeper.run(never),
  replaySpool({ spool, client, clock, random, log }, never),
]);
