// What agent programs are asked at their detection, and which versions of them are used for tasks, how.
import { chmod, mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentAdapter, AgentInput } from '../../../src/worker/agents/adapter/adapter.ts';
import { agentProgram } from '../../../src/worker/agents/programs/agent-program.ts';
import { chooseAgent, noAgentFor } from '../../../src/worker/agents/choose.ts';
import { AgentMissing, detectAgents, findAgents, findAgentPrograms } from '../../../src/worker/agents/detect.ts';
import { hasTerm, readHelp } from '../../../src/worker/agents/programs/help-text.ts';
import { createInbox } from '../../../src/worker/agents/adapter/inbox.ts';
import type { ProgramKind } from '../../../src/worker/agents/programs/program.ts';
import { programKinds } from '../../../src/worker/agents/programs/programs.ts';
import { partitionUsable } from '../../../src/worker/agents/programs/usable-agents.ts';
import { plantStandIn, standIns, type StandIn } from '../../support/agents/agent-stand-ins.ts';
import { until } from '../../support/until.ts';
import { openRunFixture, buildRunTask, type RunFixture } from '../../support/worker/run-fixture.ts';

const [claudeBefore, claudeNow] = standIns.fit;
const [claudeOld] = standIns.old;
if (!claudeBefore || !claudeNow || !claudeOld) throw new Error('no stand-in');

/** The environment of a worker that finds these programs alone. */
function envWith(fixture: RunFixture, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...fixture.env, PATH: `${join(fixture.root, 'bin')}:/usr/bin:/bin`, ...more };
}

async function plantScript(fixture: RunFixture, name: string, ...lines: string[]): Promise<string> {
  const program = join(fixture.root, 'bin', name);
  await mkdir(join(program, '..'), { recursive: true });
  await writeFile(program, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(program, 0o755);
  return program;
}

async function hasExited(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state === '' || /\) [ZX]/.test(state);
}

/** Every kind of start of a task. */
const runs: AgentInput[] = [null, 'plan'].flatMap((agentType) =>
  [null, 'anthropic:m1', 'gemini:m1', 'ollama:m1'].flatMap((model) =>
    [undefined, 'session-1'].map((session) => ({
      task: buildRunTask({ agent_type: agentType, model }),
      prompt: 'Do it.',
      folder: '/',
      inbox: createInbox(),
      session,
    })),
  ),
);

/** Of these, half, in which each two of agent type, model and session meet; SCALE=full takes all. */
const executedRuns = runs.filter(({ task, session }) => {
  const chosen = [task.agent_type !== null, task.model !== null, session !== undefined].filter(Boolean);
  return process.env['SCALE'] === 'full' || chosen.length % 2 === 0;
});

function isFor({ task: { model } }: AgentInput, agent: Pick<AgentAdapter, 'takesModel'>): boolean {
  return model === null || agent.takesModel(model);
}

function subsetsOf<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}

describe('a version that works', () => {
  test.each(standIns.fit)('$name $version is offered and does tasks of every kind', async (standIn) => {
    await using fixture = await openRunFixture();
    const planted = await plantStandIn(join(fixture.root, 'bin'), standIn);
    const env = envWith(fixture, planted.env);
    const [agent, ...others] = await detectAgents({ env, allowCommand: false });
    expect([agent?.name, agent?.version, others]).toEqual([standIn.name, standIn.version, []]);
    if (agent === undefined) return;
    for (const { task, session } of executedRuns.filter((run) => isFor(run, agent))) {
      const outcome = await fixture.execute(task, { agent, env, session });
      expect(outcome).toMatchObject({ status: 'completed', result: 'Done.' });
    }
    // Asked once for its version and once for its help.
    const probes = (await planted.starts()).filter((args) => args.includes('--version') || args.includes('--help'));
    expect(probes).toHaveLength(2);
  });

  test('claude refuses what it would ask for in the way that the version has', async () => {
    const prompts = async (standIn: StandIn): Promise<string[] | undefined> => {
      await using fixture = await openRunFixture();
      const planted = await plantStandIn(join(fixture.root, 'bin'), standIn);
      const [agent] = await detectAgents({ agentBin: planted.program, env: envWith(fixture), allowCommand: false });
      await fixture.execute({}, { agent, env: envWith(fixture, planted.env) });
      return (await planted.starts()).at(-1)?.filter((word) => /^--permission-prompts$|^none$/.test(word));
    };
    expect(await prompts(claudeBefore)).toEqual([]);
    expect(await prompts(claudeNow)).toEqual(['--permission-prompts', 'none']);
  });
});

describe('a version that does not work', () => {
  test.each(standIns.old)('$name $version is not offered, and it is said which is', async (standIn) => {
    await using fixture = await openRunFixture();
    const { program } = await plantStandIn(join(fixture.root, 'bin'), standIn);
    const env = envWith(fixture);
    const oldest = programKinds.find(({ name }) => name === standIn.name)?.needs.oldest;
    const expectedMessage = `version ${standIn.version} is too old: ${oldest} is the oldest version that works`;
    expect(await detectAgents({ env, allowCommand: false })).toEqual([]);
    expect(await findAgentPrograms(env)).toMatchObject([{ problem: { kind: 'unfit', message: expectedMessage } }]);
    const named = detectAgents({ agentBin: program, env, allowCommand: false });
    await expect(named).rejects.toThrow(AgentMissing);
    await expect(named).rejects.toThrow(expectedMessage);
  });

  test('is told by its help where its version says nothing, or is a newer one', async () => {
    await using fixture = await openRunFixture();
    const bin = join(fixture.root, 'bin');
    const problemOf = async (standIn: StandIn): Promise<string | undefined> => {
      await plantStandIn(bin, standIn);
      return (await findAgentPrograms(envWith(fixture)))[0]?.problem?.message;
    };
    expect(await problemOf({ ...claudeNow, output: 'built from source' })).toBeUndefined();
    expect(await problemOf({ ...claudeOld, output: 'built from source' })).toMatch(
      /unknown version has no --permission-mode acceptEdits\|dontAsk in its help: 2\.\d+\.\d+ is the oldest/,
    );
    expect(await problemOf({ ...claudeOld, output: '99.0.0' })).toMatch(/^version 99\.0\.0 has no --permission-mode/);
  });

  test('is never replaced by another agent in a task that names it', async () => {
    await using fixture = await openRunFixture();
    const bin = join(fixture.root, 'bin');
    await plantStandIn(bin, claudeOld);
    for (const standIn of standIns.fit.filter(({ name }) => name === 'pi')) await plantStandIn(bin, standIn);
    const { usable, unusable } = await partitionUsable(
      await findAgents({ env: envWith(fixture), allowCommand: false }),
    );
    expect([usable.map(({ name }) => name), unusable.map(({ name }) => name)]).toEqual([['pi'], ['claude']]);
    expect(chooseAgent(buildRunTask({}), usable, unusable)?.name).toBe('pi');
    for (const wanted of [{ agent_type: 'claude' }, { target_agent: 'claude' }]) {
      expect(chooseAgent(buildRunTask(wanted), usable, unusable)).toBeUndefined();
      expect(noAgentFor(buildRunTask(wanted), usable, unusable).message).toMatch(
        /agent claude.*version 2\.0\.0 is too old/,
      );
    }
  });
});

describe('the question to a program', () => {
  test('is bounded: one that hangs is ended with all it started', async () => {
    await using fixture = await openRunFixture();
    const file = join(fixture.root, 'pid');
    await plantScript(fixture, 'pi', `setsid sleep 300 & echo $! > ${file}.new; mv ${file}.new ${file}`, 'wait');
    const finding = findAgentPrograms(envWith(fixture), 1_000);
    const pid = await until('the child', async () => Number(await readFile(file, 'utf8').catch(() => '')));
    const message = 'it did not answer --version in 1 s';
    expect(await finding).toMatchObject([{ name: 'pi', problem: { kind: 'broken', message } }]);
    await until('its end', () => hasExited(pid));
  });

  test('is not answered by a help that fails, crashes or does not end: the program is broken then', async () => {
    await using fixture = await openRunFixture();
    const about = async (...lines: string[]): Promise<unknown> => {
      await plantScript(fixture, 'pi', 'if [ "$1" = --version ]; then echo 0.87.1; exit; fi', ...lines);
      const [found] = await findAgentPrograms(envWith(fixture), 5_000);
      expect(found).toMatchObject({ version: '0.87.1', problem: { kind: 'broken' } });
      return found?.problem?.message;
    };
    expect(await about('echo no help; exit 3')).toBe('--help ended with exit code 3: no help');
    expect(await about('kill -SEGV $$')).toBe('--help ended with SIGSEGV');
    expect(await about('exec yes')).toMatch(/output for --help is too long/);
    expect(await detectAgents({ env: envWith(fixture), allowCommand: false })).toEqual([]);
  });

  test('comes without the worker’s secrets, and from a folder of nobody', async () => {
    await using fixture = await openRunFixture();
    const file = join(fixture.root, 'env');
    await plantScript(fixture, 'pi', `env >> ${file}; echo "cwd=$(pwd)" >> ${file}`, 'echo 0.87.1 --nothing');
    const secrets = { SWITCHYARD_TOKEN: 'secret-1', DATABASE_URL: 'secret-2', MODEL_PROVIDER_API_KEY: 'secret-3' };
    await findAgentPrograms(envWith(fixture, { ...secrets, OF_THE_USER: 'yes' }));
    const seen = await readFile(file, 'utf8');
    expect(seen).toContain('OF_THE_USER=yes');
    expect(seen).toContain('cwd=/\n');
    expect(seen).not.toContain('secret-');
  });
});

describe('a program that is replaced under a running worker', () => {
  test('is asked again before its next task, and used as it is now or not at all', async () => {
    await using fixture = await openRunFixture();
    const bin = join(fixture.root, 'bin');
    const planted = await plantStandIn(bin, claudeNow);
    const env = envWith(fixture, planted.env);
    const [agent] = await detectAgents({ env, allowCommand: false });
    const last = async (): Promise<string[] | undefined> => (await planted.starts()).at(-1);
    expect((await fixture.execute({}, { agent, env })).status).toBe('completed');
    expect(await last()).toContain('--permission-prompts');
    await plantStandIn(bin, claudeBefore);
    expect((await fixture.execute({}, { agent, env })).status).toBe('completed');
    expect(await last()).not.toContain('--permission-prompts');
    await plantStandIn(bin, claudeOld);
    expect(await agent?.findProblem?.()).toMatch(/2\.0\.0 is too old/);
    const outcome = await fixture.execute({}, { agent, env });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent_unusable' } });
    await plantStandIn(bin, claudeNow);
    expect(await agent?.findProblem?.()).toBeUndefined();
  });

  test('is seen to be another one by more than its time and size, and to be gone', async () => {
    await using fixture = await openRunFixture();
    const path = await plantScript(fixture, 'other', 'echo 1.0.0');
    const time = new Date('1985-10-26T08:15:00Z');
    await utimes(path, time, time);
    const program = agentProgram({ path, env: fixture.env, needs: undefined });
    expect((await program.probe()).version).toBe('1.0.0');
    const { mtimeMs, size } = await stat(path);
    const next = await plantScript(fixture, 'next', 'echo 2.0.0');
    await utimes(next, time, time);
    await rename(next, path);
    expect(await stat(path)).toMatchObject({ mtimeMs, size });
    expect((await program.probe()).version).toBe('2.0.0');
    await rename(path, next);
    expect((await program.probe()).problem).toEqual({ kind: 'broken', message: 'the program is missing' });
  });
});

describe('what an adapter needs', () => {
  const declared = ({ needs }: ProgramKind, having: readonly string[]): Set<string> =>
    new Set([...needs.required.map(({ name }) => name), ...having]);
  /** Options and commands of its start, each with the value after it. */
  const used = (kind: ProgramKind, having: readonly string[]): { name: string; value: string }[] =>
    runs
      .filter((run) => isFor(run, kind))
      .flatMap((run) => {
        const options = new Set(having);
        const { argv } = kind.invocation({ program: kind.name, extra: [], options, input: run });
        const expectedMessage = argv.slice(1).flatMap((word) => (word.startsWith('--') ? word.split('=', 2) : [word]));
        return expectedMessage.flatMap((name, i) =>
          /^-./.test(name) || name === 'resume' ? [{ name, value: expectedMessage[i + 1] ?? '' }] : [],
        );
      });

  test.each(programKinds)('of $name is all that it uses, whatever optional options there are', (kind) => {
    for (const having of subsetsOf(kind.needs.optional.map(({ name }) => name))) {
      const names = new Set(used(kind, having).map(({ name }) => name));
      expect(names).toEqual(declared(kind, having));
    }
  });

  test.each(programKinds)('of $name are all values that it uses of an option which has a list of them', (kind) => {
    const all = [...kind.needs.required, ...kind.needs.optional];
    const uses = used(
      kind,
      kind.needs.optional.map(({ name }) => name),
    );
    for (const { name, values } of all) {
      if (values === undefined) continue;
      const usedOptions = new Set(uses.filter((use) => use.name === name).map(({ value }) => value));
      expect([name, [...usedOptions].toSorted()]).toEqual([name, [...values].toSorted()]);
    }
  });
});

describe('a help', () => {
  test('names what stands at the begin of its lines alone', () => {
    const terms = readHelp(claudeBefore.help);
    expect(hasTerm(terms, '--permission-prompts')).toBe(false);
    expect(hasTerm(terms, '--permission-mode', ['acceptEdits', 'dontAsk'])).toBe(true);
    expect(hasTerm(terms, '--permission-mode', ['dont'])).toBe(false);
    expect(hasTerm(terms, '--allowed-tools')).toBe(true);
    expect(hasTerm(terms, '-r')).toBe(true);
    expect(hasTerm(readHelp(claudeNow.help), '--permission-prompts', ['none'])).toBe(true);
    expect(hasTerm(readHelp(claudeNow.help), '--permission-prompt-tool')).toBe(false);
  });
});
