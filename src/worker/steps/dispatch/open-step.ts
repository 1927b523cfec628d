// Opens what a step works with: the attempt's folder, the bound repository, and git on it without configuration.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { StepDescriptorWire } from '../../../contracts/step.ts';
import type { WorkerTask } from '../../../contracts/worker.ts';
import { isGitUrl } from '../../../lib/text/git-url.ts';
import type { NewWorkerEvent } from '../../base/event.ts';
import type { GateSettings } from '../../gates/gate-settings.ts';
import { containAttempt, type Containment } from '../../process/containment.ts';
import { attemptTagVariable, withoutCredentials } from '../../process/environment.ts';
import type { WorkerClient } from '../../service/client.ts';
import { openAttemptFolder, type AttemptFolder } from '../../workspace/attempt-folder.ts';
import { openClone, type ClonePolicy } from '../../workspace/clone.ts';
import { fetchOrigin } from '../../workspace/fetch-origin.ts';
import { createGit, type Git } from '../../workspace/git/git.ts';
import { openIsolatedGit } from '../../workspace/git/isolated-git.ts';
import { inspectFolder, type Repository } from '../../workspace/git/repository.ts';
import type { CloneOrigin } from '../../workspace/starting-point.ts';
import type { WorkspaceBinding } from '../../workspace/workspace.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

/** The part that is the same for every step of a worker. */
export interface StepSurroundings {
  readonly stateDir: string;
  readonly clones: ClonePolicy;
  /** Deadline of one git command. */
  readonly gitTimeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly passEnv: string[];
  readonly privatePaths: readonly string[];
  /** Values that no text of an agent may carry out of this machine. */
  readonly secrets: readonly string[];
  readonly containment: Containment;
  readonly killGraceMs: number;
  readonly gates: GateSettings;
  readonly client: Pick<WorkerClient, 'downloadArtifact' | 'downloadRunBundle'>;
}

/** One step: its task, where it works, and how it reports. */
export interface StepAttempt {
  readonly task: WorkerTask;
  readonly step: StepDescriptorWire;
  readonly binding: WorkspaceBinding;
  readonly workerId: string;
  readonly offersPrograms: boolean;
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface OpenedStep extends AsyncDisposable {
  readonly context: StepContext;
}

/**
 * @throws StepError `not_a_repository`; WorkspaceError
 */
export async function openStep(surroundings: StepSurroundings, attempt: StepAttempt): Promise<OpenedStep> {
  const { stateDir, containment, gitTimeoutMs, clones } = surroundings;
  const contained = containAttempt(containment, randomUUID());
  const env = { ...withoutCredentials(surroundings), [attemptTagVariable]: contained.tag };
  const unboundGit = createGit({ env, deadlineMs: gitTimeoutMs });
  const folder = await openAttemptFolder(stateDir, attempt.task.id, contained);
  try {
    const { repository, origin } = await findRepository(unboundGit, folder, surroundings, attempt);
    const isolated = { folder: join(folder.path, 'git'), stateDir, plain: true };
    const { git, elsewhere } = await openIsolatedGit(unboundGit, repository, isolated);
    const { signal } = attempt;
    const remote = { git, repository, timeoutMs: clones.timeoutMs, signal };
    const context: StepContext = {
      ...surroundings,
      ...attempt,
      repository,
      elsewhere,
      git,
      folder,
      contained,
      env,
      origin,
      // A clone was fetched when it was opened.
      fetchOrigin: () => (origin === undefined ? fetchOrigin(remote) : Promise.resolve()),
    };
    return { context, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

async function findRepository(
  git: Git,
  folder: AttemptFolder,
  { stateDir, clones: policy }: StepSurroundings,
  { binding, emit, signal }: StepAttempt,
): Promise<{ repository: Repository; origin: CloneOrigin | undefined }> {
  const onWait = (): Promise<void> =>
    emit({ type: 'progress', message: 'Another attempt fetches this repository; waiting for it to end.' });
  const clone = isGitUrl(binding.path)
    ? await openClone(binding.path, { git, policy, stateDir, folder, signal, onWait })
    : { root: binding.path, origin: undefined };
  signal.throwIfAborted();
  const found = clone === undefined ? undefined : await inspectFolder(git, clone.root);
  if (found?.kind === 'git') return { repository: found, origin: clone?.origin };
  const hint = 'Make it one (git init) with a first commit; a run works in worktrees.';
  throw new StepError('not_a_repository', `${binding.path} is not a git repository. ${hint}`);
}
