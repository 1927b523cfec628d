// Real agent programs get a message by being resumed on their own session, and go on with it in another run's workspace.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectAgents } from '../../../../src/worker/agents/detect.ts';
import { InterventionHandler } from '../../../../src/worker/attempt/intervention-handler.ts';
import type { SessionFacts } from '../../../../src/worker/report/task-outcome.ts';
import { agentProgram, agentSettings, installDeadlineMs, type AgentName } from '../../../support/agents/real-agents.ts';
import { startScriptedModel } from '../../../support/agents/scripted-model.ts';
import { openRunFixture, buildRunTask } from '../../../support/worker/run-fixture.ts';

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
      await using fixture = await openRunFixture();
      await fixture.write('a.txt', 'a\n');
      await fixture.git('add', '.');
      await fixture.git('commit', '--quiet', '-m', 'first');
      // It answers by how many tool results a conversation has: one that goes on gets the same words again.
      const script = [{ write: 'new.txt', content: 'new\n' }, { bash: 'exit 3' }, () => ({ reply: 'All done.' })];
      await using model = await startScriptedModel(script);
      const settings = await agentSettings(name, join(fixture.root, 'home'), model.url);
      const env = { ...fixture.env, ...settings.env };
      const [agent] = await detectAgents({ agentBin: program, env, allowCommand: false });
      if (agent === undefined) throw new Error('no agent');
      const answers: string[] = [];
      const answer = ({ id, status }: { id: string; status: string }): void => void answers.push(`${id} ${status}`);
      const interventionHandler = new InterventionHandler({
        task: buildRunTask({}),
        answer,
        cancel: () => undefined,
      });
      interventionHandler.handle({ id: 'm1', task_id: 't', action: 'message', message: 'Make the second, too.' });
      const facts: SessionFacts[] = [];
      const record = (sessionFacts: SessionFacts): void => void facts.push(sessionFacts);
      const common = {
        agent,
        env,
        binding: { codebaseId: 'c', path: fixture.repo, mode },
        timeoutMs: 200_000,
        onSessionFacts: record,
      };
      const task = { prompt: 'Make the first.', model: settings.model };
      const outcome = await fixture.execute(task, { ...common, interventions: interventionHandler });
      expect(outcome).toMatchObject({ status: 'completed', result: 'All done.' });
      // Three turns of the model and one more, each counted once.
      expect(outcome.usage).toMatchObject({ input_tokens: 400, output_tokens: 40 });
      expect(answers).toEqual(['m1 delivered']);
      const last = model.requests.at(-1)?.raw;
      expect(last).toMatch(/Make the first[^]*All done[^]*Make the second, too/);
      expect(Object.fromEntries(facts[0]?.tools ?? [])).toEqual(tools);
      const { session, sessionUsage } = facts[0] ?? {};
      expect(session).toMatch(/^[\w-]{20,}$/);
      const later = { prompt: 'Now the third.', model: settings.model };
      const third = await fixture.execute(later, { ...common, session, sessionUsage });
      expect(third).toMatchObject({ status: 'completed', result: 'All done.' });
      expect(third.usage).toMatchObject({ input_tokens: 100, output_tokens: 10 });
      // It finds the session of another worktree of the repository, too, and works in its own.
      const lastRequest = model.requests.at(-1)?.raw;
      expect(lastRequest).toMatch(/Make the first[^]*Make the second, too[^]*Now the third/);
      expect(fixture.output('stderr')).not.toContain('starts a new one');
    },
  );
});
