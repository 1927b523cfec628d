// `task pause|resume|tell`: what they send, what they print of its way to the agent, and their exit codes. choices-1 and choices-3.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { until } from '../../support/until.ts';
import { localWorker, outputOf, script, taskIn, waitFor } from '../../support/worker/local-worker.ts';

let service: TestService;
let worker: ManualWorker;
let codebaseId: string;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ name: 'by hand', codebases: [{ name: 'repo', path: '/repo' }] });
  codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

function cli(args: readonly string[], { as = 'operator', stdin = '' } = {}): Promise<Outcome> {
  const token = service.token(as === 'editor' ? 'editor' : 'operator');
  return command(args, { env: { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: token }, stdin });
}

async function running(): Promise<AssignmentWire> {
  const { id } = await service.task({ codebase_id: codebaseId });
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('not claimed');
  return held;
}

/** Answers the next intervention of the task. */
async function answerNext(
  held: AssignmentWire,
  n: number,
  word: { status: string; reason?: string },
): Promise<unknown> {
  const intervention = await until(
    'an intervention',
    async () => (await worker.heartbeat([held])).body.interventions[0],
  );
  const { id, action } = intervention;
  await worker.report(held, [{ type: 'intervention', n, id, action, ...word }]);
  return intervention;
}

const patient = ['--wait', '60'];

describe('task pause, resume and tell', () => {
  it('end when the worker says that its agent has it', async () => {
    const held = await running();
    const { id } = held.task;
    for (const [n, action] of ['pause', 'resume'].entries()) {
      const pending = cli(['task', action, id, ...patient]);
      await answerNext(held, n + 1, { status: 'delivered' });
      expect(await pending).toEqual({ code: 0, out: `${id} ${action} delivered\n`, err: '' });
    }
    const telling = cli(['task', 'tell', id, 'Use', 'the "blue" one.', ...patient]);
    expect(await answerNext(held, 3, { status: 'delivered' })).toMatchObject({ message: 'Use the "blue" one.' });
    expect(await telling).toEqual({ code: 0, out: `${id} message delivered\n`, err: '' });
  });

  it('say why the agent will not have it, and end as a state that does not allow it', async () => {
    const held = await running();
    const pending = cli(['task', 'tell', held.task.id, 'hello', ...patient]);
    await answerNext(held, 1, { status: 'failed', reason: 'agent_takes_no_messages' });
    expect(await pending).toEqual({
      code: exitCodes.conflict,
      out: `${held.task.id} message failed (agent_takes_no_messages)\n`,
      err: 'This agent does not accept messages while it runs.\n',
    });
  });

  it('say that it is queued when no worker has answered in time, and how to see it later', async () => {
    const { id } = await service.task({ codebase_id: codebaseId });
    const outcome = await cli(['task', 'tell', id, '--wait', '0', '-'], { stdin: 'from standard input' });
    expect(outcome).toMatchObject({ code: 0, out: `${id} message queued\n` });
    expect(outcome.err).toContain(`switchyard task watch ${id}`);
    const [held] = await worker.claim(1, id);
    expect(held?.task.messages.at(-1)?.parts).toEqual([{ text: 'from standard input' }]);
    const json = await cli(['task', 'pause', id, '--wait', '0', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ intervention: { task_id: id, action: 'pause', status: 'queued' } });
    expect(json.err).toBe('');
  });

  it('are refused without a running agent, and to callers without the permission', async () => {
    const { id } = await service.task({ codebase_id: codebaseId });
    const idle = await cli(['task', 'pause', id]);
    expect(idle).toMatchObject({ code: exitCodes.conflict, out: '' });
    expect(idle.err).toContain('This task is pending: no running agent could pause.');
    const held = await running();
    await worker.release(held, { status: 'completed' });
    for (const args of [
      ['tell', held.task.id, 'late'],
      ['resume', held.task.id],
    ]) {
      expect(await cli(['task', ...args])).toMatchObject({ code: exitCodes.conflict, out: '' });
    }
    expect((await cli(['task', 'pause', '01890000-0000-7000-8000-000000000000'])).code).toBe(exitCodes.notFound);
    expect((await cli(['task', 'tell', id, ' '])).code).toBe(exitCodes.usage);
    expect((await cli(['task', 'pause', id], { as: 'editor' })).code).toBe(exitCodes.refused);
  });

  it('stop and let go a real agent', async () => {
    await using local = await localWorker(service, { worker_name: 'real' });
    const gate = path.join(local.cwd, 'gate');
    const prompt = script('echo begun', waitFor(gate), 'echo done');
    const { id } = await service.task({ prompt, target_worker_id: local.id });
    await until('begun', async () => (await outputOf(service, id)).includes('begun'));
    expect((await cli(['task', 'pause', id, ...patient])).out).toBe(`${id} pause delivered\n`);
    await writeFile(gate, '');
    expect((await cli(['task', 'tell', id, 'hello', ...patient])).out).toContain('(agent_takes_no_messages)');
    expect((await cli(['task', 'resume', id, ...patient])).out).toBe(`${id} resume delivered\n`);
    expect(await taskIn(service, id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    expect((await cli(['task', 'watch', id])).err).toMatch(
      /· paused\n· message: hello\n· message failed: agent_takes_no_messages\n· goes on\n/,
    );
  });
});
