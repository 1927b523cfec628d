// Rows of a run for tests: each builder gives a whole row, with the given fields in it.
import { createHash } from 'node:crypto';
import type { PrdRun, RunAnswer, RunOptions, RunStory } from '../../../../src/domain/model/run/run.ts';
import type { GateResult, StepGate } from '../../../../src/domain/model/run/step.ts';
import { buildPrd, buildPrdRun, buildRunStory, defaultRunOptions } from '../../../support/builders/prd-run.ts';
import type { RunWorker } from '../../../../src/domain/model/run/snapshot.ts';

export const startOfRun = new Date('2026-03-01T08:00:00.000Z');

/** A commit or tree id that a name always gives. */
export function commitOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

export const baseCommit = commitOf('base');

export function storyRow(storyId: string, given: Partial<RunStory> = {}): RunStory {
  const title = `Title of ${storyId}`;
  return buildRunStory({
    storyId,
    title,
    description: '',
    criteria: ['Tests pass'],
    status: 'pending',
    phase: null,
    ...given,
  });
}

export function runRow(given: Partial<Omit<PrdRun, 'options'>> & { options?: Partial<RunOptions> } = {}): PrdRun {
  const at = startOfRun.toISOString();
  const { options, ...fields } = given;
  return buildPrdRun({
    id: '019c0000-0000-7000-8000-000000000001',
    codebaseId: 'codebase',
    project: 'project',
    description: '',
    branch: 'ralph/feature',
    baseCommit: null,
    headCommit: null,
    status: 'pending',
    maxParallel: 3,
    maxIterations: 3,
    prd: buildPrd({ project: 'project', branchName: 'feature', description: '' }),
    baseline: null,
    createdBy: 'owner',
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    activeSince: null,
    dueAt: at,
    options: { ...defaultRunOptions, bundleMaxBytes: 1_000_000, ...options },
    ...fields,
  });
}

export const testGate: StepGate = {
  id: 'test',
  command: 'npm test',
  script: 'vitest run',
  source: 'detected',
  required: true,
  timeout_seconds: null,
  network: null,
};

export function gateResult(given: Partial<GateResult> = {}): GateResult {
  const passed = given.passed ?? true;
  return {
    gate_id: 'test',
    criterion: null,
    command: 'npm test',
    exit_code: passed ? 0 : 1,
    passed,
    flaky: false,
    timed_out: false,
    seconds: 1,
    tail: passed ? 'ok' : 'AssertionError: expected 2, got 3\n    at src/sum.test.ts:12:5',
    ...given,
  };
}

export function onlineWorker(workerId: string, agents: readonly string[] = ['claude', 'codex']): RunWorker {
  return { workerId, online: true, offlineSince: null, agents };
}

export function answerRow(given: Partial<RunAnswer>): RunAnswer {
  return { choice: null, choices: {}, text: '', agent: null, commit: null, branch: null, raise: {}, ...given };
}
