// A person steps in while a real worker's agent works: message, pause, resume, cancel, each once and with its true outcome.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  localWorker,
  outputOf,
  script,
  taskIn,
  workerFolder,
  waitFor,
  type Folder,
  type LocalWorker,
} from '../../support/worker/local-worker.ts';
import { plantClaude, type PlantedClaude } from '../../support/agents/fake-claude.ts';
import { processesOf } from '../../support/worker/left-processes.ts';

let service: TestService;
let folder: Folder;
let claude: PlantedClaude;
beforeAll(async () => {
  // Short, so that heartbeats repeat what the push channel has delivered already; a busy machine still keeps it.
  service = await openService({ config: { leaseSeconds: 9 } });
  folder = await workerFolder();
  claude = await plantClaude(folder.path);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let workers = 0;
const ownCodebase = (path: string): Record<string, unknown> => ({ name: 'own', path, workspace_mode: 'in_place' });

interface Stage extends AsyncDisposable {
  readonly worker: LocalWorker;
  readonly codebaseId: string;
  /** Stands in the environment of all that its agents start. */
  readonly path: string;
}

/** A worker with a folder of its own, of the agent `command` or of the planted program. */
async function stage(agent: 'command' | 'claude', name = `steps ${(workers += 1)}`): Promise<Stage> {
  const place = await workerFolder();
  const flags = { worker_name: name, global: false, codebases: [ownCodebase(place.path)] };
  const program = { agent_bin: claude.program, allow_command: false };
  const env = { PATH: process.env['PATH'], ...claude.env };
  const worker = await localWorker(service, { ...flags, ...(agent === 'claude' && program) }, { env });
  const { body } = await service.call('GET', `/v1/agent/codebases?worker_id=${worker.id}`);
  return {
    worker,
    codebaseId: body.codebases[0].codebase_id,
    path: place.path,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

async function sendIntervention(taskId: string, body: Record<string, unknown>): Promise<string> {
  const reply = await service.call('POST', '/v1/monitor/intervene', {
    as: 'operator',
    body: { task_id: taskId, ...body },
  });
  expect(reply.status).toBe(202);
  return reply.body.intervention.id;
}

function settled(id: string): Promise<{ status: string; reason: string | null }> {
  return until('the worker’s word', async () => {
    const { intervention } = (await service.call('GET', `/v1/monitor/interventions/${id}`)).body;
    return ['queued', 'sent'].includes(intervention.status) ? undefined : intervention;
  });
}

async function printed(taskId: string, text: string): Promise<void> {
  await until(`${text} printed`, async () => (await outputOf(service, taskId)).includes(text));
}

async function interventionEvents(taskId: string): Promise<unknown[]> {
  const { events } = (await service.call('GET', `/v1/agent/tasks/${taskId}/events?limit=1000`)).body;
  return events
    .filter(({ type }: { type: string }) => type === 'intervention')
    .map(({ data }: { data: { action: string; status: string } }) => `${data.action} ${data.status}`);
}

/** The state of a process, as /proc has it: `T` is stopped. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

describe('pause and resume', () => {
  it('stop every process of the agent and let it go on; the lease holds meanwhile', async () => {
    await using on = await stage('command');
    const gate = join(folder.path, 'gate-of-pause');
    const prompt = script(`(${waitFor(gate)}; echo child done) &`, 'echo begun', waitFor(gate), 'wait', 'echo done');
    const task = await service.task({ codebase_id: on.codebaseId, prompt });
    await printed(task.id, 'begun');
    const id = await sendIntervention(task.id, { action: 'pause' });
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    const pids = processesOf(on.path);
    expect(pids.length).toBeGreaterThan(1);
    expect(await Promise.all(pids.map(stateOf))).toEqual(pids.map(() => 'T'));
    await writeFile(gate, '');
    const leaseEnd = async (): Promise<number> => {
      const query = 'select lease_expires_at as at from tasks where id = $1';
      const [row] = await service.db.query<{ at: Date }>(query, [task.id]);
      return row?.at.getTime() ?? 0;
    };
    const before = await leaseEnd();
    await until('a renewed lease, two leases later', async () => (await leaseEnd()) - before > 18_000);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task).toMatchObject({
      status: 'running',
      attempt: 1,
    });
    expect(await outputOf(service, task.id)).not.toContain('done');
    expect(await settled(await sendIntervention(task.id, { action: 'resume' }))).toMatchObject({ status: 'delivered' });
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
    expect(await interventionEvents(task.id)).toEqual(['pause delivered', 'resume delivered']);
  });

  it('a paused agent can be cancelled', async () => {
    await using on = await stage('command');
    const gate = join(folder.path, 'gate-of-cancel');
    const task = await service.task({ codebase_id: on.codebaseId, prompt: script('echo begun', waitFor(gate)) });
    await printed(task.id, 'begun');
    await settled(await sendIntervention(task.id, { action: 'pause' }));
    const id = await sendIntervention(task.id, { action: 'cancel' });
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    await until('nothing left of it', () => Promise.resolve(processesOf(on.path).length === 0));
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.status).toBe('cancelled');
  });
});

describe('a message', () => {
  it('to an agent that takes none fails at once, and says so', async () => {
    await using on = await stage('command');
    const gate = join(folder.path, 'gate-of-deaf');
    const task = await service.task({ codebase_id: on.codebaseId, prompt: script('echo begun', waitFor(gate)) });
    await printed(task.id, 'begun');
    const id = await sendIntervention(task.id, { action: 'message', message: 'hello' });
    expect(await settled(id)).toMatchObject({ status: 'failed', reason: 'agent_takes_no_messages' });
    await writeFile(gate, '');
    await taskIn(service, task.id, 'completed');
  });

  it('to an agent that can be resumed is given to it after its run, once, under the same lease', async () => {
    await using on = await stage('claude');
    const gate = join(folder.path, 'gate-of-message');
    const task = await service.task({ codebase_id: on.codebaseId, prompt: `WAIT ${gate}` });
    await printed(task.id, 'listed');
    const id = await sendIntervention(task.id, { action: 'message', message: 'Use the blue one. "; rm -rf / #' });
    const hasHeartbeats = async (): Promise<boolean> => {
      const [row] = await service.db.query<{ at: Date | null }>(
        'select sent_at as at from interventions where intervention_id = $1',
        [id],
      );
      return row?.at !== null && row !== undefined && Date.now() - row.at.getTime() > 7500;
    };
    await until('more heartbeats that say it again', hasHeartbeats);
    const { intervention } = (await service.call('GET', `/v1/monitor/interventions/${id}`)).body;
    expect(intervention.status).toBe('sent');
    await writeFile(gate, '');
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    const done = await taskIn(service, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'completed', attempt: 1, result: 'Did: Use the blue one. "; rm -rf / #' });
    const starts = (await claude.starts()).filter(({ prompt }) => prompt.includes(gate) || prompt.includes('blue'));
    expect(starts).toHaveLength(2);
    const [first, second] = starts;
    expect(first?.args).not.toContain('--resume');
    expect(second?.args[second.args.indexOf('--resume') + 1]).toMatch(/^session-of-\d+$/);
    expect(second?.prompt).toBe('Use the blue one. "; rm -rf / #');
    const { usage } = (await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task;
    expect(usage).toMatchObject({ input_tokens: 20, output_tokens: 2 });
    expect(await interventionEvents(task.id)).toEqual(['message delivered']);
  });

  it('that was sent before the attempt began is in its prompt, and delivered when it begins', async () => {
    await using on = await stage('claude', 'comes late');
    await on.worker.worker.drain();
    const task = await service.task({ codebase_id: on.codebaseId, prompt: 'Paint it.' });
    const id = await sendIntervention(task.id, { action: 'message', message: 'In blue.' });
    const place = (await service.call('GET', `/v1/agent/codebases/${on.codebaseId}`)).body.codebase.path;
    const flags = { worker_name: 'comes late', global: false, codebases: [ownCodebase(place)] };
    const env = { PATH: process.env['PATH'], ...claude.env };
    const program = { agent_bin: claude.program, allow_command: false };
    await using _again = await localWorker(service, { ...flags, ...program }, { env });
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    const starts = (await claude.starts()).filter(({ prompt }) => prompt.includes('In blue.'));
    expect(starts.map(({ prompt }) => prompt.match(/In blue\./g)?.length)).toEqual([1]);
  });

  it('answers an agent that asks: the question, the answer, and on it goes', async () => {
    await using on = await stage('claude');
    const task = await service.task({ codebase_id: on.codebaseId, prompt: 'ASK about it' });
    await taskIn(service, task.id, 'needs_input');
    const id = await sendIntervention(task.id, { action: 'message', message: 'Red.' });
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    const last = (await claude.starts()).findLast(({ prompt }) => prompt.includes('ASK about it'));
    expect(last?.prompt).toMatch(/You: Which colour\?[^]*User: Red\./);
  });
});

describe('sessions', () => {
  it('bring what the agent used and are gone on with in the agent’s own session [core-2.7.20, choices-3.79]', async () => {
    const name = 'keeps sessions';
    await using on = await stage('claude', name);
    const trigger = await service.call('POST', `/v1/agent/codebases/${on.codebaseId}/trigger`, {
      body: { prompt: 'FAIL a tool, please', title: 'The first talk' },
    });
    await taskIn(service, trigger.body.task_id, 'completed');
    await on.worker.worker.drain();
    const list = async (q: string): Promise<{ session_id: string }[]> =>
      (await service.call('GET', `/v1/agent/codebases/${on.codebaseId}/sessions?q=${encodeURIComponent(q)}`)).body
        .sessions;
    const [session, ...others] = await list('first TALK');
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      session_id: trigger.body.session_id,
      title: 'The first talk',
      agent: 'claude',
      message_count: 2,
      tool_usage: { Bash: 1 },
      metadata: { agent_session_id: expect.stringMatching(/^session-of-/), tool_failures: { Bash: 1 } },
    });
    expect(await list('a tool, please')).toHaveLength(1);
    expect(await list('100%')).toEqual([]);

    const place = (await service.call('GET', `/v1/agent/codebases/${on.codebaseId}`)).body.codebase.path;
    const flags = { worker_name: name, global: false, codebases: [ownCodebase(place)] };
    const program = { agent_bin: claude.program, allow_command: false };
    await using _again = await localWorker(
      service,
      { ...flags, ...program },
      { env: { PATH: process.env['PATH'], ...claude.env } },
    );
    const path = `/v1/agent/codebases/${on.codebaseId}/sessions/${trigger.body.session_id}/resume`;
    const resumed = await service.call('POST', path, { as: 'editor', body: { prompt: 'And now the second thing.' } });
    expect(resumed.status).toBe(201);
    expect(await taskIn(service, resumed.body.task.id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    const start = (await claude.starts()).find(({ prompt }) => prompt.startsWith('And now the second thing.'));
    const at = start?.args.indexOf('--resume') ?? -1;
    expect(start?.args[at + 1]).toMatch(/^session-of-/);
  });
});
