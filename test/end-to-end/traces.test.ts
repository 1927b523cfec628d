// Traces from the call that asks for a task through the worker to the webhook, at a real collector.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTraceparent } from '../../src/lib/trace/traceparent.ts';
import { openService, type TestServiceOptions } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openReceiver } from '../support/peers/webhook-receiver.ts';
import { outputOf, repository, script, taskIn, workerFolder } from '../support/worker/local-worker.ts';
import { workerProcess } from '../support/worker/worker-process.ts';
import { openCollector } from '../support/peers/trace-collector.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const traced = (endpoint: string): NonNullable<TestServiceOptions['config']> => ({
  traces: { endpoint, headers: ['x-key=a%20b'], serviceName: 'the service', ratio: 1 },
  egressAllow: ['127.0.0.1'],
  webhookBackoffSeconds: 0.05,
});

/** A task, its headers as given. */
const taskBody = (url: string): Record<string, unknown> => ({
  title: 'a title that no span has',
  prompt: 'a prompt that no span has',
  codebase_id: 'global',
  webhook_url: url,
});

describe('a trace', () => {
  it('holds the call, the worker’s run in its own process, the finish and the webhook', async () => {
    await using collector = await openCollector();
    await using receiver = await openReceiver();
    await using testService = await openService({ config: traced(collector.url) });
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hidden-word' };
    await using worker = workerProcess(testService, cwd, { A2A_WORKER_NAME: 'traced', ...settings });
    const prompt = script('echo "in $TRACEPARENT"', 'echo "headers [$OTEL_EXPORTER_OTLP_HEADERS]"');
    const body = { ...taskBody(`${receiver.url}/hook/of-the-receiver`), prompt };
    const made = await testService.call('POST', '/v1/agent/tasks', { as: 'editor', body, headers: { traceparent } });
    const { id } = made.body.task;
    await taskIn(testService, id, 'completed');
    const [arrival] = await receiver.arrived('/hook/of-the-receiver');

    const submit = await collector.named('POST /v1/agent/tasks');
    const run = await collector.named('run');
    const agent = await collector.named('agent');
    const claim = await collector.named('claim');
    const release = await collector.named('release');
    const finish = await collector.named('POST /v1/worker/tasks/:id/release');
    const deliver = await collector.named('deliver');
    const spans = [submit, run, agent, claim, release, finish, deliver];
    expect(spans.map((span) => span.traceId)).toEqual(spans.map(() => traceId));
    expect(spans.map((span) => span.parentSpanId)).toEqual([
      'b7ad6b7169203331',
      submit.spanId,
      run.spanId,
      run.spanId,
      run.spanId,
      release.spanId,
      submit.spanId,
    ]);
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['the service', 'switchyard-worker']));
    expect(submit.attributes).toMatchObject({
      'http.response.status_code': 201,
      'switchyard.operation': 'tasks.create',
    });
    expect(run.attributes).toMatchObject({ 'switchyard.task_id': id, 'switchyard.attempt': 1 });

    // The agent and the receiver get the span that they work under.
    const output = await outputOf(testService, id);
    expect(output).toContain(`in 00-${traceId}-${agent.spanId}-01`);
    expect(output).toContain('headers []');
    expect(arrival?.headers['traceparent']).toBe(`00-${traceId}-${deliver.spanId}-01`);
    expect(worker.logged()).toContain(`"trace_id":"${traceId}"`);
    expect(collector.bodies.join('')).not.toMatch(/no span has|of-the-receiver|hidden-word|token-of-/);
  });

  it('begins here when none comes, and sends the configured headers; chatter of workers is in none', async () => {
    await using collector = await openCollector();
    await using testService = await openService({ config: traced(collector.url) });
    const worker = await testService.worker();
    const task = await testService.task();
    const [assignment] = await worker.claim(1, task.id);
    const parent = parseTraceparent(assignment?.task.traceparent);
    const submit = await collector.named('POST /v1/agent/tasks');
    expect(parent).toEqual({ traceId: submit.traceId, spanId: submit.spanId, flags: 1 });
    expect(submit.parentSpanId).toBeUndefined();
    expect(collector.headers['x-key']).toBe('a b');
    expect(collector.spans.map(({ name }) => name)).not.toContain('POST /v1/worker/tasks/claim');
  });
});

describe('without a collector', () => {
  it('the trace of the caller is handed on to worker and webhook as it came; what is none is dropped', async () => {
    await using receiver = await openReceiver();
    await using testService = await openService({ config: { egressAllow: ['127.0.0.1'] } });
    const worker = await testService.worker();
    const headerCases: [path: string, header: string | undefined, handedOn: string | undefined][] = [
      ['/one', traceparent, traceparent],
      ['/later', `cc-${traceparent.slice(3)}-more`, traceparent],
      ['/zero', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
      ['/two', `${traceparent}, ${traceparent}`, undefined],
      ['/sql', `00-${traceId}-'; drop table tasks--01`, undefined],
      ['/none', undefined, undefined],
    ];
    for (const [path, header, handedOn] of headerCases) {
      const headers: Record<string, string> = header === undefined ? {} : { traceparent: header };
      const body = taskBody(`${receiver.url}${path}`);
      const made = await testService.call('POST', '/v1/agent/tasks', { as: 'editor', body, headers });
      const [assignment] = await worker.claim(1, made.body.task.id);
      if (assignment === undefined) throw new Error('not claimed');
      expect([path, assignment.task.traceparent]).toEqual([path, handedOn]);
      await worker.release(assignment, { status: 'completed', result: '' });
      const [arrival] = await receiver.arrived(path);
      expect([path, arrival?.headers['traceparent']]).toEqual([path, handedOn]);
    }
  });

  it.each([
    ['that is down', 'http://127.0.0.1:1'],
    ['that refuses', 500],
    ['that never answers', undefined],
  ] as const)('%s everything else goes on, and one line says so', async (_what, answer) => {
    await using collector = await openCollector(typeof answer === 'number' ? answer : undefined);
    const lines: string[] = [];
    const endpoint = typeof answer === 'string' ? answer : collector.url;
    await using receiver = await openReceiver();
    {
      await using testService = await openService({ config: traced(endpoint), log: (line) => lines.push(line) });
      const worker = await testService.worker();
      for (let i = 0; i < 5; i += 1) {
        const made = await testService.call('POST', '/v1/agent/tasks', {
          as: 'editor',
          body: taskBody(`${receiver.url}/on`),
        });
        expect(made.status).toBe(201);
        const [assignment] = await worker.claim(1, made.body.task.id);
        if (assignment === undefined) throw new Error('not claimed');
        await worker.release(assignment, { status: 'completed', result: '' });
      }
      await receiver.arrived('/on', 5);
      if (typeof answer === 'string') {
        await until('the line', () => lines.some((line) => line.startsWith('failed to export traces')));
      }
    }
    expect(lines.filter((line) => line.startsWith('failed to export traces')).length).toBeLessThanOrEqual(1);
  });
});
