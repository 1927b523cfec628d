// The agent directory: registration, heartbeats, names, and whether messages can be routed to an agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverAgents, findAgent, refreshAgent, registerAgent } from '../../../src/domain/agents/directory.ts';
import type { Agent, AgentProfile } from '../../../src/domain/model/agent.ts';
import type { Caller } from '../../../src/domain/model/access/caller.ts';
import type { WorkerProfile } from '../../../src/domain/model/worker.ts';
import { unregisterWorker, registerWorker } from '../../../src/domain/workers/register.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const editor = callerOf('editor');
const stranger = callerOf('editor', 'default', 'token:stranger');
const operator = callerOf('operator');
const otherTenant = callerOf('operator', 'other');

function profile(name: string, fields: Partial<AgentProfile> = {}): AgentProfile {
  return { name, description: 'reviews code', capabilities: [], models: [], ...fields };
}

async function workerWith(
  fields: Partial<WorkerProfile>,
  caller: Caller = callerOf('agent'),
  holds = true,
): Promise<string> {
  const worker = {
    name: 'w',
    capabilities: [],
    hostname: '',
    version: '',
    agents: [],
    models: [],
    slots: 1,
    ...fields,
  };
  const codebases = holds
    ? [{ codebaseId: 'global', name: 'global', path: '/x', description: '', exclusive: false }]
    : [];
  return (await registerWorker(verbs, caller, worker, codebases)).worker.workerId;
}

async function all(caller: Caller, query: { capability?: string; onlineOnly?: boolean } = {}): Promise<Agent[]> {
  return [...(await discoverAgents(verbs, caller, { ...query, limit: 200 })).agents];
}

/** Moves the last heartbeat of a registration back, by the database's clock. */
async function silentFor(name: string, seconds: number): Promise<void> {
  await db.query(
    'update agent_registrations set last_seen_at = last_seen_at - make_interval(secs => $2) where name = $1',
    [name, seconds],
  );
}

describe('an agent that registers itself', () => {
  it('is found with its profile, and is not routable: no worker serves its name [tools-4.2.12, tools-4.2.11]', async () => {
    const declared = profile('reviewer', {
      url: 'https://reviewer.invalid/a2a',
      capabilities: ['review'],
      models: ['m'],
    });
    const { agent, heartbeatSeconds } = await registerAgent(verbs, editor, declared);
    expect(agent).toMatchObject({ ...declared, source: 'registered', role: 'agent', online: true, routable: false });
    expect(heartbeatSeconds).toBe(60);
    expect(await findAgent(verbs, stranger, 'reviewer')).toEqual(agent);
  });

  it('is online while it sends heartbeats, by the database’s clock, and again after the next one [tools-4.2.13]', async () => {
    await registerAgent(verbs, editor, profile('breathing'));
    await silentFor('breathing', 170);
    expect((await findAgent(verbs, editor, 'breathing')).online).toBe(true);
    await silentFor('breathing', 20);
    const gone = await findAgent(verbs, editor, 'breathing');
    expect(gone.online).toBe(false);
    const online = async (): Promise<string[]> => (await all(editor, { onlineOnly: true })).map(({ name }) => name);
    expect(await online()).not.toContain('breathing');
    const back = await refreshAgent(verbs, editor, 'breathing');
    expect(back.online).toBe(true);
    expect(Date.parse(back.lastSeen)).toBeGreaterThan(Date.parse(gone.lastSeen));
    expect(await online()).toContain('breathing');
  });

  it('gets 404 with a hint to register when unknown, and is deleted after RETENTION_DAYS of silence', async () => {
    const missing = {
      kind: 'not_found',
      code: 'agent_not_registered',
      message: expect.stringContaining('register_agent'),
    };
    await expect(refreshAgent(verbs, editor, 'never-came')).rejects.toMatchObject(missing);
    await registerAgent(verbs, editor, profile('forgotten'));
    await silentFor('forgotten', 31 * 86_400);
    const dropped = await verbs.store.within(editor, (rows) => rows.agents.dropStale(30));
    expect(dropped).toBe(1);
    await expect(refreshAgent(verbs, editor, 'forgotten')).rejects.toMatchObject(missing);
    await expect(findAgent(verbs, editor, 'forgotten')).rejects.toMatchObject({ code: 'agent_not_found' });
  });

  it('keeps its name from others, except operators', async () => {
    await registerAgent(verbs, editor, profile('mine'));
    const taken = { kind: 'forbidden', code: 'agent_name_taken' };
    await expect(registerAgent(verbs, stranger, profile('mine'))).rejects.toMatchObject(taken);
    await expect(refreshAgent(verbs, stranger, 'mine')).rejects.toMatchObject(taken);
    expect((await registerAgent(verbs, operator, profile('mine', { description: 'ours' }))).agent.description).toBe(
      'ours',
    );
    await expect(refreshAgent(verbs, editor, 'mine')).rejects.toMatchObject(taken);
  });

  it('cannot take the name of another credential’s worker, or of an agent that it runs', async () => {
    await workerWith({ name: 'builder', agents: ['mason'] });
    for (const name of ['builder', 'mason']) {
      await expect(registerAgent(verbs, editor, profile(name))).rejects.toMatchObject({ code: 'agent_name_taken' });
    }
    const { agent } = await registerAgent(verbs, callerOf('agent'), profile('mason', { description: 'lays bricks' }));
    expect(agent).toMatchObject({ description: 'lays bricks', source: 'worker', routable: true });
  });

  it.each([
    ['a name with a line break', { name: 'a\nb' }],
    ['a name that turns the line round', { name: 'a\u202Eb' }],
    ['no name', { name: '' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a long description', { description: 'x'.repeat(2_001) }],
    ['an address that is none', { url: 'javascript:alert(1)' }],
    ['an address with a password', { url: 'https://me:secret@example.com' }],
    ['too many capabilities', { capabilities: Array.from({ length: 33 }, (_, i) => `c${i}`) }],
    ['an empty model', { models: [''] }],
  ])('is refused with %s', async (_what, fields) => {
    await expect(registerAgent(verbs, editor, profile('fine', fields))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('is limited to 100 for a subject, also under concurrent registrations', async () => {
    const many = callerOf('editor', 'other', 'token:many');
    const tries = Array.from({ length: 110 }, (_, i) => registerAgent(verbs, many, profile(`swarm-${i}`)));
    const outcomes = await Promise.allSettled(tries);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ kind: 'conflict', code: 'too_many_agents' });
    await registerAgent(verbs, many, profile('swarm-0', { description: 'registered anew' })).catch(() => undefined);
  });
});

describe('agents of workers', () => {
  it('are the worker itself and each agent it runs, with what all their workers can do [tools-4.2.10]', async () => {
    await workerWith({ name: 'alpha', agents: ['scribe'], capabilities: ['gpu'], models: ['one:small'] });
    await workerWith({ name: 'beta', agents: ['scribe'], capabilities: ['arm'], models: ['one:large'] });
    expect(await findAgent(verbs, editor, 'scribe')).toMatchObject({
      role: 'agent',
      source: 'worker',
      capabilities: ['arm', 'gpu'],
      models: ['one:large', 'one:small'],
      routable: true,
      description: expect.stringMatching(/alpha.*beta/),
    });
    expect(await findAgent(verbs, editor, 'alpha')).toMatchObject({ role: 'worker', capabilities: ['gpu'] });
    const able = (await all(editor, { capability: 'GPU' })).map(({ name }) => name);
    expect(able).toEqual(['alpha', 'scribe']);
  });

  it('are routable while an online worker would claim their tasks', async () => {
    await workerWith({ name: 'homeless', agents: ['nomad'] }, callerOf('agent'), false);
    expect(await findAgent(verbs, editor, 'nomad')).toMatchObject({ online: true, routable: false });
    const id = await workerWith({ name: 'fleeting', agents: ['mayfly'] });
    expect(await findAgent(verbs, editor, 'mayfly')).toMatchObject({ online: true, routable: true });
    await db.query(`update workers set last_heartbeat_at = now() - interval '10 minutes' where worker_id = $1`, [id]);
    expect(await findAgent(verbs, editor, 'mayfly')).toMatchObject({ online: false, routable: false });
    await unregisterWorker(verbs, callerOf('agent'), id);
    await expect(findAgent(verbs, editor, 'mayfly')).rejects.toMatchObject({ code: 'agent_not_found' });
  });

  it('are listed by name, page by page, each exactly once', async () => {
    const names: string[] = [];
    let before: string | undefined;
    do {
      const page = await discoverAgents(verbs, editor, { limit: 3, before });
      names.push(...page.agents.map(({ name }) => name));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(names).toEqual((await all(editor)).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });
});

it('another tenant does not see them, and may use the same names', async () => {
  await registerAgent(verbs, editor, profile('shared-name', { description: 'of default' }));
  await expect(findAgent(verbs, otherTenant, 'shared-name')).rejects.toMatchObject({ code: 'agent_not_found' });
  const { agent } = await registerAgent(verbs, otherTenant, profile('shared-name', { description: 'of other' }));
  expect(agent.description).toBe('of other');
  expect((await findAgent(verbs, editor, 'shared-name')).description).toBe('of default');
  const theirs = await all(otherTenant);
  expect(theirs.filter(({ source }) => source === 'worker')).toEqual([]);
});
