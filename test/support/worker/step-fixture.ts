// A scene for steps of a run: a repository, a worker's state folder, descriptors, and the context that a step gets.
import { randomUUID } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildWorkerTask } from '../builders/worker-task.ts';
import type { StepDescriptorWire } from '../../../src/contracts/step.ts';
import type { WorkerTask } from '../../../src/contracts/worker.ts';
import { openAttemptFolder } from '../../../src/worker/workspace/attempt-folder.ts';
import { fetchOrigin } from '../../../src/worker/workspace/fetch-origin.ts';
import { createGit, type Git } from '../../../src/worker/workspace/git/git.ts';
import { openIsolatedGit } from '../../../src/worker/workspace/git/isolated-git.ts';
import { inspectFolder } from '../../../src/worker/workspace/git/repository.ts';
import type { StepContext } from '../../../src/worker/steps/step-context.ts';
import type { RunFixture } from './run-fixture.ts';

export const stepRunId = '01890000-0000-7000-8000-0000000000aa';

/** The descriptor of a step with nothing in it but what is given. */
export function buildStep(fields: Partial<StepDescriptorWire> = {}): StepDescriptorWire {
  return {
    kind: 'implement',
    run_id: stepRunId,
    story_id: 'US-001',
    n: 1,
    created_at: '2026-11-21T10:04:00.000Z',
    base: '',
    run_base: '',
    branch: 'ralph/test',
    branch_policy: 'new',
    fetch: [],
    keep_ref: `refs/switchyard/runs/${stepRunId}/US-001/1`,
    setup: [],
    copy: [],
    gates: [],
    checks: [],
    hashes: {},
    protect: [],
    allow_test_changes: false,
    strict: false,
    baseline: [],
    checks_before: [],
    progress: '',
    commit_progress: false,
    timeout_seconds: null,
    bundle_max_bytes: 67_108_864,
    candidate: null,
    head: null,
    old_head: null,
    commit: {
      subject: 'feat: US-001 - Add priority',
      body: 'The story adds a priority.',
      run_id: stepRunId,
      story_id: 'US-001',
      iteration: 1,
      task_id: '01890000-0000-7000-8000-0000000000bb',
    },
    criteria: [],
    implementer: null,
    last: false,
    merge_into: null,
    ...fields,
  };
}

export interface OpenedContext extends StepContext, AsyncDisposable {}

/** Opens what a step gets, in the fixture's repository. */
export async function openTestContext(
  fixture: Pick<RunFixture, 'repo' | 'stateDir' | 'env' | 'events'>,
  step: StepDescriptorWire,
  task: Partial<WorkerTask> = {},
): Promise<OpenedContext> {
  const { repo, stateDir, env, events } = fixture;
  const contained = { tag: randomUUID(), kind: 'none' } as const;
  const unboundGit: Git = createGit({ env, deadlineMs: 60_000 });
  const repository = await inspectFolder(unboundGit, repo);
  if (repository.kind !== 'git') throw new Error('the fixture has no repository');
  const folder = await openAttemptFolder(stateDir, randomUUID(), contained);
  const { git, elsewhere } = await openIsolatedGit(unboundGit, repository, {
    folder: join(folder.path, 'git'),
    stateDir,
    plain: true,
  });
  return {
    task: buildWorkerTask({ ...task }),
    step,
    repository,
    elsewhere,
    git,
    folder,
    contained,
    env,
    passEnv: [],
    privatePaths: [],
    stateDir,
    gates: { mode: 'auto', network: false, setupNetwork: true, timeoutMs: 60_000, memoryMb: 1024 },
    offersPrograms: true,
    workerId: '01890000-0000-7000-8000-0000000000cc',
    killGraceMs: 300,
    client: {
      downloadArtifact: () => Promise.resolve(undefined),
      downloadRunBundle: () => Promise.reject(new Error('no run has left a bundle')),
    },
    origin: undefined,
    fetchOrigin: () => fetchOrigin({ git, repository, timeoutMs: 60_000, signal: new AbortController().signal }),
    secrets: [],
    emit: (event) => {
      events.push(event);
      return Promise.resolve();
    },
    signal: new AbortController().signal,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Everything of a repository that its user could notice: refs that are not hidden, HEAD, configuration, index, files. */
export async function readUserState(fixture: Pick<RunFixture, 'repo' | 'git'>): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const entry of await readdir(fixture.repo, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(fixture.repo, path);
    if (name.startsWith('.git/objects/') || name.startsWith('.git/refs/switchyard/')) continue;
    const { mode, ino } = await stat(path);
    state[name] = `${mode} ${ino} ${(await readFile(path)).toString('base64')}`;
  }
  return state;
}
