// The gates on the candidate's code with the tests of its base: whether changed tests hide a failure. runs-10.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CandidateChange } from '../../gates/protection/candidate-diff.ts';
import { listCommit } from '../../gates/repository-files.ts';
import type { GateMachine } from '../../gates/run-gate.ts';
import { installDependencies, placeOf, setUpTree } from './install-dependencies.ts';
import { openStepTree } from '../open-step-tree.ts';
import { gateJobs, runGates } from './run-gates.ts';
import type { StepContext } from '../step-context.ts';
import { writeCommit } from '../story-commit.ts';

interface BaseTests {
  readonly candidate: string;
  readonly base: string;
  /** Existing tests that the candidate changed or deleted. */
  readonly changedTests: readonly CandidateChange[];
  readonly lockChanged: boolean;
}

/** A commit with the candidate's files, but with the base's tests; no ref names it. */
async function commitWithBaseTests(
  context: StepContext,
  { candidate, base, changedTests }: BaseTests,
): Promise<string> {
  const { git, repository, folder, step } = context;
  const index = join(folder.path, `index-${candidate}`);
  const call = { cwd: repository.root, env: { GIT_INDEX_FILE: index } };
  const restored = changedTests.flatMap(({ path, before }) => (before === null ? [] : [{ path, ...before }]));
  // A file or link that took the place of a folder of tests has to go first.
  const entries = await listCommit(placeOf(context), candidate);
  const inTheWay = new Set(restored.flatMap(({ path }) => parentsOf(path)).filter((path) => entries.has(path)));
  const below = [...entries.keys()].filter((path) => restored.some((test) => path.startsWith(`${test.path}/`)));
  const lines = [
    ...[...inTheWay, ...below].map((path) => `0 ${'0'.repeat(candidate.length)}\t${path}`),
    ...restored.map(({ mode, id, path }) => `${mode} ${id}\t${path}`),
  ];
  try {
    await git.run(['read-tree', candidate], call);
    await git.run(['update-index', '-z', '--index-info'], {
      ...call,
      input: lines.map((line) => `${line}\0`).join(''),
    });
    const tree = await git.line(['write-tree', '--missing-ok'], call);
    return await writeCommit(context, { tree, parent: base, message: 'Tests of the base', createdAt: step.created_at });
  } finally {
    await rm(index, { force: true });
  }
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/**
 * @returns names of failing tests, or ids of failing gates where no reader knows the output; empty: all required gates
 * are green
 */
export async function runBaseTests(context: StepContext, machine: GateMachine, tests: BaseTests): Promise<string[]> {
  const { step } = context;
  const commit = await commitWithBaseTests(context, tests);
  await using tree = await openStepTree(context, { commit, copy: step.copy, name: 'base-tests' });
  const setup = step.setup ?? [];
  const { home } = tests.lockChanged
    ? await setUpTree(context, machine, { tree, setup })
    : await installDependencies(context, machine, { tree, commit: tests.base, setup });
  const required = (step.gates ?? []).filter((gate) => gate.required);
  const outcomes = await runGates(context, machine, { tree, home, jobs: gateJobs(required, context), again: true });
  return outcomes
    .filter(({ result }) => !result.passed)
    .flatMap(({ result, failedTests }) => (failedTests.length > 0 ? failedTests : [result.gate_id ?? result.command]));
}
