// Real agent programs get a message by being resumed on their own session, and go on with it in another run's work place.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectAgents } from '../../src/worker/agents/detect.ts';
import { createDesk } from '../../src/worker/attempt/run-desk.ts';
import type { SessionFacts } from '../../src/worker/attempt/run-turns.ts';
import { agentProgram, agentSettings, installDeadlineMs, type AgentName } from '../support/agents.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { openScene, taskOf } from './scene.ts';

interface Case {
  name: AgentName;
  mode: 'in_place' | 'worktree';
  /** What the agent calls its tools, with how often it used them and how often that failed. */
  tools: Record<string, { calls: number; failed: number }>;
}

const once = { calls: 1, failed: 0 };
const failed = { calls: 1, failed: 1 };
const quick: Case[] = [
  { name: 'claude', mode: 'worktree', tools: { Write: once, Bash: failed } },
  { name: 'codex', mode: 'worktree', tools: { command_execution: { calls: 2, failed: 1 } } },
  { name: 'pi', mode: 'worktree', tools: { write: once, bash: failed } },
];
/** Some of these need ten seconds and more for each start. */
const slow: Case[] = [
  { name: 'claude', mode: 'in_place', tools: { Write: once, Bash: failed } },
  { name: 'codex', mode: 'in_place', tools: { command_execution: { calls: 2, failed: 1 } } },
  { name: 'pi', mode: 'in_place', tools: { write: once, bash: failed } },
  { name: 'opencode', mode: 'in_place', tools: { write: once, bash: failed } },
  { name: 'opencode', mode: 'worktree', tools: { write: once, bash: failed } },
  // Its shell counts a command as used, however that ended.
  { name: 'gemini', mode: 'in_place', tools: { write_file: once, run_shell_command: once } },
];
const cases = process.env['SCALE'] === 'full' ? [...quick, ...slow] : quick;

describe('a real agent', { timeout: 2 * installDeadlineMs }, () => {
  test.each(cases)(
    '$name goes on with what was said meanwhile, and with its session in a later run, $mode [core-2.7.20]',
    async ({ name, mode, tools }) => {
      const program = await agentProgram(name);
      await using scene = await openScene();
      await scene.write('a.txt', 'a\n');
      await scene.git('add', '.');
      await scene.git('commit', '--quiet', '-m', 'first');
      // It answers by how many tool results a conversation has: one that goes on gets the same words again.
      const script = [{ write: 'new.txt', content: 'new\n' }, { bash: 'exit 3' }, () => ({ say: 'All done.' })];
      await using model = await startScriptedModel(script);
      const settings = await agentSettings(name, join(scene.root, 'home'), model.url);
      const env = { ...scene.env, ...settings.env };
      const [agent] = await detectAgents({ agentBin: program, env, allowCommand: false });
      if (agent === undefined) throw new Error('no agent');
      const said: string[] = [];
      const answer = ({ id, status }: { id: string; status: string }): void => void said.push(`${id} ${status}`);
      const desk = createDesk({ task: taskOf({}), answer, cancel: () => undefined });
      desk.hear({ id: 'm1', task_id: 't', action: 'message', message: 'Make the second, too.' });
      const facts: SessionFacts[] = [];
      const tell = (told: SessionFacts): void => void facts.push(told);
      const common = { agent, env, workplace: { codebaseId: 'c', path: scene.repo, mode }, timeoutMs: 200_000, tell };
      const task = { prompt: 'Make the first.', model: settings.model };
      const outcome = await scene.execute(task, { ...common, desk });
      expect(outcome).toMatchObject({ status: 'completed', result: 'All done.' });
      // Three turns of the model and one more, each counted once.
      expect(outcome.usage).toMatchObject({ input_tokens: 400, output_tokens: 40 });
      expect(said).toEqual(['m1 delivered']);
      const last = model.asked.at(-1)?.raw;
      expect(last).toMatch(/Make the first[^]*All done[^]*Make the second, too/);
      expect(Object.fromEntries(facts[0]?.tools ?? [])).toEqual(tools);
      const { session, sessionUsage } = facts[0] ?? {};
      expect(session).toMatch(/^[\w-]{20,}$/);
      const later = { prompt: 'Now the third.', model: settings.model };
      const third = await scene.execute(later, { ...common, session, sessionUsage });
      expect(third).toMatchObject({ status: 'completed', result: 'All done.' });
      expect(third.usage).toMatchObject({ input_tokens: 100, output_tokens: 10 });
      // It finds the session of another worktree of the repository, too, and works in its own.
      const asked = model.asked.at(-1)?.raw;
      expect(asked).toMatch(/Make the first[^]*Make the second, too[^]*Now the third/);
      expect(scene.output('stderr')).not.toContain('begins anew');
    },
  );
});
