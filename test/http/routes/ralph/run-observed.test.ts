// Views of runs for operators and programs, beside their own operations: loops, metrics, audit, resources, the tool that ends.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newRunId, openRunSite } from '../../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../../support/runs/scripted-step-worker.ts';
import { called, toolRpc } from '../../../support/mcp/client.ts';
import { openService, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let runId: string;
let secondRunId: string;
beforeAll(async () => {
  service = await openService();
  const site = await openRunSite(service);
  runId = await newRunId(service, { codebase_id: site.codebaseId });
  await scriptStepWorker(service, site).workUntil(runId, 'completed', 'failed', 'needs_input');
  secondRunId = await newRunId(service, { codebase_id: site.codebaseId });
});
afterAll(() => service[Symbol.asyncDispose]());

it('the director is among the loops, and runs, steps and iterations are counted [runs-7.7]', async () => {
  const { body } = await service.call('GET', '/v1/cognition/status', { as: 'viewer' });
  expect(body.loops).toContainEqual(expect.objectContaining({ name: 'run_director', interval_seconds: 1 }));
  const metrics = String((await service.call('GET', '/metrics', { as: 'viewer' })).body);
  expect(metrics).toMatch(/^switchyard_runs\{status="completed"\} 1$/m);
  expect(metrics).toMatch(/^switchyard_run_steps_seconds_count\{kind="implement"\} 3$/m);
  expect(metrics).toMatch(/^switchyard_run_iterations_total\{outcome="passed"\} 3$/m);
  expect(metrics).toMatch(/^switchyard_run_director_lag_seconds_count [1-9]/m);
});

it('each change of the director is in the audit, as its own caller [runs-7.8]', async () => {
  const events = await until('the entries', async () => {
    const query = { action: 'runs.advance', limit: 200 };
    const { body } = await service.call('POST', '/v1/audit/query', { as: 'operator', body: query });
    return body.events.length > 3 && body.events;
  });
  for (const event of events) {
    expect(event).toMatchObject({
      actor: 'service:run_director',
      outcome: 'success',
      resource: expect.stringMatching(/^\/v1\/ralph\/runs\//),
    });
  }
});

it('a run and its progress are resources of the tool protocol, of its tenant alone [runs-6.3.4, runs-6.1.17]', async () => {
  const read = async (uri: string, as: TestUser): ReturnType<typeof toolRpc> =>
    toolRpc(service, 'resources/read', { uri }, { as });
  const run = await read(`coord://runs/${runId}`, 'editor2');
  expect(JSON.parse(run.body.result.contents[0].text)).toMatchObject({ run_id: runId, status: 'completed' });
  const progress = await read(`coord://runs/${runId}/progress`, 'editor2');
  expect(progress.body.result.contents[0].text).toMatch(/^# Progress: shop/);
  for (const rest of ['', '/progress']) {
    const foreign = await read(`coord://runs/${runId}${rest}`, 'other');
    expect(foreign.body.result).toBeUndefined();
    expect(JSON.stringify(foreign.body)).not.toContain('shop');
  }
});

it('the tool ralph_cancel_run ends a run of its caller [tools-4.2.23, tools-4.2.34, runs-6.3.1]', async () => {
  expect((await called(service, 'ralph_cancel_run', { run_id: secondRunId }, 'other')).isError).toBe(true);
  const answer = await called(service, 'ralph_cancel_run', { run_id: secondRunId }, 'editor');
  expect(answer.structuredContent).toEqual({
    success: true,
    run_id: secondRunId,
    status: 'cancelled',
    message: expect.any(String),
  });
});
