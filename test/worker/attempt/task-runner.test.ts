// A task with a step goes to the step runner; any other to an agent.
import { expect, test } from 'vitest';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import { InterventionHandler } from '../../../src/worker/attempt/intervention-handler.ts';
import { createTaskRunner } from '../../../src/worker/attempt/task-runner.ts';
import { createServedFolders } from '../../../src/worker/codebases/served-folders.ts';
import { SessionStore } from '../../../src/worker/report/session-store.ts';
import { createGit } from '../../../src/worker/workspace/git/git.ts';
import { buildWorkerTask } from '../../support/builders/worker-task.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { openRunFixture, type RunFixture } from '../../support/worker/run-fixture.ts';
import { buildStep } from '../../support/worker/step-fixture.ts';

/** A runner whose steps and agents end at once with this outcome, and what they were given. */
function openRunner(fixture: RunFixture, features: readonly string[], outcome: TaskOutcome) {
  const current = {
    workerId: 'w',
    leaseMs: 1,
    heartbeatMs: 1,
    routeKeys: new Set<string>(),
    features: new Set(features),
  };
  const seen: unknown[] = [];
  const runner = createTaskRunner({
    client: { bindCodebase: () => Promise.reject(new Error('unused')) },
    registration: { current: () => current, fresh: () => Promise.resolve(current) },
    folders: createServedFolders({ configured: [], roots: [fixture.root], closedPaths: [] }),
    git: createGit({ env: fixture.env, deadlineMs: 60_000 }),
    clones: { from: [], timeoutMs: 1, push: false },
    agents: [commandAgent],
    execute: (_, { binding }) => {
      seen.push(['agent', binding.path]);
      return Promise.resolve(outcome);
    },
    sessionStore: new SessionStore({ now: () => new Date() }),
    runStep: ({ task, binding, workerId }) => {
      seen.push(['step', binding.path, workerId, task.step.kind]);
      return Promise.resolve(outcome);
    },
  });
  const interventions = new InterventionHandler({
    task: { messages: [] },
    answer: () => undefined,
    cancel: () => undefined,
  });
  const codebase = { codebase_id: 'c', path: fixture.repo, workspace_mode: 'worktree' as const };
  const context = { codebase, emit: () => Promise.resolve(), interventions, signal: new AbortController().signal };
  return { seen, runner, context };
}

test('a task is run by its step, where it has one', async () => {
  await using fixture = await openRunFixture();
  const { seen, runner, context } = openRunner(fixture, [], { status: 'completed' });
  await runner.run({ ...buildWorkerTask({ codebase_id: 'c' }), step: buildStep({ kind: 'publish' }) }, context);
  await runner.run(buildWorkerTask({ codebase_id: 'c' }), context);
  expect(seen).toEqual([
    ['step', fixture.repo, 'w', 'publish'],
    ['agent', fixture.repo],
  ]);
  const step = { ...buildWorkerTask({ codebase_id: 'c' }), step: buildStep() };
  const unbound = await runner.run(step, { ...context, codebase: undefined });
  expect(unbound).toMatchObject({ status: 'pending', error: { code: 'unknown_codebase' } });
});

test.each([
  [
    ['question_options'],
    { text: 'Which?', kind: 'permission', options: [{ value: 'r', label: 'Red' }, { value: 'g' }] },
  ],
  [[], { text: 'Which?\n- Red\n- g' }],
])('a service with the features %j is asked in its own form [ui-6.3.8, ui-6.3.9]', async (features, message) => {
  await using fixture = await openRunFixture();
  const question = {
    text: 'Which?',
    kind: 'permission' as const,
    options: [{ value: 'r', label: 'Red' }, { value: 'g' }],
  };
  const { runner, context } = openRunner(fixture, features, { status: 'needs_input', message: question, result: 'r' });
  for (const task of [buildWorkerTask(), { ...buildWorkerTask(), step: buildStep() }]) {
    expect(await runner.run(task, context)).toEqual({ status: 'needs_input', message, result: 'r' });
  }
});
