// `serve` with a model endpoint answers PRD chats by a worker of its own, which takes no other task. runs-13.
import { expect, it } from 'vitest';
import { startScriptedModel } from '../../support/agents/scripted-model.ts';
import { processTreeOf, living, Program, temporaryFolder } from '../../support/process/program.ts';
import { answerText } from '../../support/runs/prd-chat.ts';
import { until } from '../../support/until.ts';

interface Served {
  readonly call: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Json }>;
  readonly program: Program;
}
// The body of any operation: tests look at what they expect of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const token = 'the-token-of-this-test-0123456789';

async function serve(cwd: string, env: Record<string, string>): Promise<Served> {
  const program = new Program({
    args: ['serve', '--json', '--port', '0', '--mcp-port', '0'],
    cwd,
    env: { SERVICE_AUTH_TOKEN: token, ...env },
  });
  const [, url] = await program.printed(/"url": ?"(http[^"]*)"/);
  const call: Served['call'] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: response.status, body: await response.json() };
  };
  return { call, program };
}

const workersOf = async ({ call }: Served): Promise<Json[]> => (await call('GET', '/v1/agent/workers')).body.workers;

it('a service alone with a model endpoint answers PRD chats, and leaves every other task alone [runs-13.12]', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([{ reply: answerText({ reply: 'What is it for?' }) }]);
  const env = { MODEL_PROVIDER_ENDPOINT: `${model.url}/v1`, MODEL_DEPLOYMENT_NAME: 'scripted' };
  const served = await serve(folder.path, env);
  await using program = served.program;
  const [worker] = await until('the worker', async () => {
    const workers = await workersOf(served);
    return workers.length > 0 ? workers : undefined;
  });
  expect(worker).toMatchObject({ capabilities: ['switchyard:prd-1'], agents: ['model'], codebases: ['global'] });
  const task = { title: 'other', prompt: 'do it', codebase_id: 'global' };
  const other = await served.call('POST', '/v1/agent/tasks', task);
  const { body: made } = await served.call('POST', '/v1/ralph/prd/sessions', {});
  const sent = await served.call('POST', `/v1/ralph/prd/sessions/${made.session.id}/messages`, { message: 'A login.' });
  expect(sent).toMatchObject({ status: 200, body: { turn: { source: 'agent', text: 'What is it for?' } } });
  const { body } = await served.call('GET', `/v1/agent/tasks/${other.body.task.id}`);
  expect(body.task).toMatchObject({ status: 'pending', waiting_reason: 'no_worker_for_codebase' });
  const tree = await processTreeOf(program.pid);
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(await living(tree.map(({ pid }) => pid))).toEqual([]);
});

it('a service whose runs are turned off starts no worker', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([{ reply: 'never asked' }]);
  const env = { MODEL_PROVIDER_ENDPOINT: `${model.url}/v1`, RALPH_ENABLED: '0' };
  const served = await serve(folder.path, env);
  await using program = served.program;
  const tree = await processTreeOf(program.pid);
  expect(tree.filter(({ command }) => command.includes(' worker'))).toEqual([]);
  expect(await workersOf(served)).toEqual([]);
});
