// progress.txt in the commits of a run that wants it there: as the service renders it, without conflicts. runs-9.
import { expect, test } from 'vitest';
import type { StepResultWire } from '../../../src/contracts/step.ts';
import type { StartedAgent } from '../../../src/worker/agents/adapter/adapter.ts';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import { gateSteps } from '../../../src/worker/steps/dispatch/gate-steps.ts';
import { openRunFixture, shellPrompt } from '../../support/worker/run-fixture.ts';
import { implemented, openStepService, openStepWorker } from '../../support/worker/step-workers.ts';

const gates = [
  {
    id: 'progress',
    command: 'cat progress.txt',
    script: null,
    source: 'declared',
    required: true,
    timeout_seconds: null,
    network: null,
  },
] as const;

function commitOf(result: StepResultWire | undefined): string {
  if ((result?.kind !== 'check' && result?.kind !== 'land') || result.commit === null)
    throw new Error(`no commit: ${JSON.stringify(result)}`);
  return result.commit;
}

test('two stories from one base land one after the other, each with the text of the service and none of the agent [runs-9.11]', async () => {
  await using fixture = await openRunFixture();
  await fixture.write('a.txt', 'a\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  const base = await fixture.git('rev-parse', 'HEAD');
  const prompts: string[] = [];
  const judge: StartedAgent = {
    ...commandAgent,
    name: 'judge',
    invoke(input) {
      prompts.push(input.task.prompt);
      return commandAgent.invoke(input);
    },
  };
  const worker = openStepWorker(fixture, openStepService(), { gateSteps, agents: [commandAgent, judge] });
  const run = { base, run_base: base, commit_progress: true, gates: [...gates] };
  const work = async (name: string): Promise<string> => {
    const block = shellPrompt(`echo ${name} > ${name}.txt; echo "key sk-planted, ${name}" >> progress.txt`);
    const { result } = await worker.run({ ...run, story_id: name, progress: 'start\n' }, { prompt: block });
    const { candidate, notes } = implemented(result);
    expect(notes).toContain(name);
    expect(await fixture.git('ls-tree', '--name-only', candidate?.commit ?? '')).toBe(`a.txt\n${name}.txt`);
    return candidate?.commit ?? '';
  };
  const [one, two] = [await work('one'), await work('two')];

  const checked = await worker.run({ ...run, kind: 'check', story_id: 'one', candidate: one, progress: 'one\n' });
  const head = commitOf(checked.result);
  expect(checked.result).toMatchObject({ verdict: 'ok', results: [{ tail: expect.stringContaining('one') }] });
  expect(await fixture.git('show', `${head}:progress.txt`)).toBe('one');

  const step = { ...run, kind: 'land', story_id: 'two', head, candidate: two, progress: 'one\ntwo\n' } as const;
  const landed = await worker.run(step);
  expect(landed.result).toMatchObject({ verdict: 'ok', conflicts: [], same_patch: true });
  const tip = commitOf(landed.result);
  expect(await fixture.git('show', `${tip}:progress.txt`)).toBe('one\ntwo');
  expect(await fixture.git('log', '-p', base, tip)).not.toContain('sk-planted');

  // The judge of the second reads neither the file nor its difference.
  const asked = { ...run, kind: 'judge', base: head, candidate: tip, commit: null } as const;
  const criteria = [{ index: 0, text: 'x' }];
  await worker.run(
    { ...asked, criteria },
    { prompt: shellPrompt('ls; echo "{}"'), target_agent: 'judge', agent_type: 'plan' },
  );
  expect(prompts.at(-1)).toContain('two.txt');
  expect(prompts.at(-1)).not.toContain('progress.txt');
  expect(JSON.stringify(fixture.events)).not.toContain('progress.txt\\ntwo.txt');

  const idle = await worker.run({ ...run, kind: 'check', story_id: 'three', candidate: null, progress: 'x\n' });
  expect(idle.result).toMatchObject({ no_change: true, commit: null });
});
