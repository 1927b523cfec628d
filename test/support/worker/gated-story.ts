// A story on a small node project: the base is prepared by the real step, candidates are checked by the real step.
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResultWire, PrepareResultWire, StepDescriptorWire } from '../../../src/contracts/step.ts';
import { runCheck } from '../../../src/worker/steps/verification/check.ts';
import { runPrepare } from '../../../src/worker/steps/verification/prepare.ts';
import type { StepContext } from '../../../src/worker/steps/step-context.ts';
import { openRunFixture, type RunFixture } from './run-fixture.ts';
import { buildStep, openTestContext } from './step-fixture.ts';

/** Contents by path; null removes the file, `{ link }` makes a link. */
export type FileChanges = Readonly<Record<string, string | null | { readonly link: string }>>;

export interface GatedStory extends AsyncDisposable {
  readonly fixture: RunFixture;
  readonly base: string;
  /** The answer of prepare at the base. */
  prepare(step?: Partial<StepDescriptorWire>): Promise<PrepareResultWire>;
  /** Commits changes on the base, without moving a branch. @returns the commit */
  candidate(changes: FileChanges): Promise<string>;
  /** The answer of check for a candidate with these changes, after prepare, which runs once for the same gates and checks. */
  check(
    changes: FileChanges,
    step?: Partial<StepDescriptorWire>,
    context?: Partial<StepContext>,
  ): Promise<CheckResultWire>;
}

/** A project whose test imports its source. */
export const sumProject: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'sum', type: 'module', scripts: { test: 'node --test' } }, null, 2),
  '.gitignore': 'node_modules\n',
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.mjs': [
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    "import { sum } from '../src/sum.mjs';",
    "test('adds', () => assert.equal(sum(1, 2), 3));",
    "test('adds negatives', () => assert.equal(sum(-1, -2), -3));",
    '',
  ].join('\n'),
};

async function apply(fixture: RunFixture, changes: FileChanges): Promise<void> {
  for (const [path, content] of Object.entries(changes)) {
    if (content === null || typeof content === 'object')
      await rm(join(fixture.repo, path), { recursive: true, force: true });
    if (typeof content === 'string') await fixture.write(path, content);
    else if (content !== null) await symlink(content.link, join(fixture.repo, path));
  }
}

/** Opens a story on a repository with these files. */
export async function openGatedStory(files: Readonly<Record<string, string>> = sumProject): Promise<GatedStory> {
  const fixture = await openRunFixture();
  await apply(fixture, files);
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'base');
  const base = await fixture.git('rev-parse', 'HEAD');

  async function prepare(step: Partial<StepDescriptorWire> = {}): Promise<PrepareResultWire> {
    const descriptor = buildStep({ kind: 'prepare', gates: null, setup: null, story_id: null, n: 0, ...step });
    await using context = await openTestContext(fixture, descriptor);
    return await runPrepare({ ...context, privatePaths: [fixture.stateDir] });
  }

  const prepared = new Map<string, Promise<PrepareResultWire>>();
  function prepareOnce(step: Partial<StepDescriptorWire>): Promise<PrepareResultWire> {
    const key = JSON.stringify(step);
    const known = prepared.get(key) ?? prepare(step);
    prepared.set(key, known);
    return known;
  }

  async function candidate(changes: FileChanges): Promise<string> {
    await apply(fixture, changes);
    await fixture.git('add', '--all', '--force', '.');
    await fixture.git('commit', '--quiet', '--allow-empty', '-m', 'candidate');
    const commit = await fixture.git('rev-parse', 'HEAD');
    await fixture.git('reset', '--quiet', '--hard', base);
    return commit;
  }

  return {
    fixture,
    base,
    prepare,
    candidate,
    async check(changes, step = {}, overrides = {}) {
      const {
        gates,
        setup,
        hashes,
        baseline,
        checks_before: checksBefore,
      } = await prepareOnce({
        ...(step.gates === undefined ? {} : { gates: step.gates }),
        ...(step.setup === undefined ? {} : { setup: step.setup }),
        checks: step.checks ?? [],
        story_id: null,
      });
      const descriptor = buildStep({
        kind: 'check',
        base,
        run_base: base,
        candidate: await candidate(changes),
        gates,
        setup,
        hashes,
        baseline,
        checks_before: checksBefore,
        ...step,
      });
      await using context = await openTestContext(fixture, descriptor);
      return await runCheck({ ...context, privatePaths: [fixture.stateDir], ...overrides });
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
