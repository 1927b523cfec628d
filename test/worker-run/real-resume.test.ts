// A real agent program gets a message by being resumed on its own session, in place and in worktrees.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectAgents } from '../../src/worker/agents/detect.ts';
import { createDesk } from '../../src/worker/run-desk.ts';
import type { SessionFacts } from '../../src/worker/run-turns.ts';
import { agentProgram, agentSettings, installDeadlineMs } from '../support/agents.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { openScene, taskOf } from './scene.ts';

describe('claude', { timeout: installDeadlineMs }, () => {
  test.each(['in_place', 'worktree'] as const)('goes on with what was said meanwhile, %s', async (mode) => {
    const program = await agentProgram('claude');
    await using scene = await openScene();
    await scene.write('a.txt', 'a\n');
    await scene.git('add', '.');
    await scene.git('commit', '--quiet', '-m', 'first');
    // It answers by how many tool results a conversation has: one that goes on gets the same words again.
    await using model = await startScriptedModel([{ write: 'new.txt', content: 'new\n' }, { say: 'All done.' }]);
    const settings = await agentSettings('claude', join(scene.root, 'home'), model.url);
    const env = { ...scene.env, ...settings.env };
    const [agent] = await detectAgents({ agentBin: program, env, allowCommand: false });
    if (agent === undefined) throw new Error('no agent');
    const said: string[] = [];
    const answer = ({ id, status }: { id: string; status: string }): void => void said.push(`${id} ${status}`);
    const desk = createDesk({ task: taskOf({}), answer, cancel: () => undefined });
    desk.hear({ id: 'm1', task_id: 't', action: 'message', message: 'Make the second, too.' });
    const facts: SessionFacts[] = [];
    const tell = (told: SessionFacts): void => void facts.push(told);
    const common = { agent, env, workplace: { codebaseId: 'c', path: scene.repo, mode }, timeoutMs: 150_000, tell };
    const task = { prompt: 'Make the first.', model: settings.model };
    const outcome = await scene.execute(task, { ...common, desk });
    expect(outcome).toMatchObject({ status: 'completed', result: 'All done.' });
    expect(outcome.usage).toMatchObject({ input_tokens: 300, output_tokens: 30 });
    expect(said).toEqual(['m1 delivered']);
    const last = model.asked.at(-1)?.raw;
    expect(last).toMatch(/Make the first[^]*All done[^]*Make the second, too/);
    expect(facts[0]?.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.fromEntries(facts[0]?.tools ?? [])).toEqual({ Write: { calls: 1, failed: 0 } });
    const later = { prompt: 'Now the third.', model: settings.model };
    const third = await scene.execute(later, { ...common, session: facts[0]?.session });
    expect(third).toMatchObject({ status: 'completed', result: 'All done.' });
    // It finds the session of another worktree of the repository, too.
    expect(model.asked.at(-1)?.raw).toMatch(/Make the first[^]*Make the second, too[^]*Now the third/);
  });
});
