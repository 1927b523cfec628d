// The context of every step of a run: the repository, git without anybody's configuration, and the attempt.
import type { StepDescriptorWire } from '../../contracts/step.ts';
import type { WorkerTask } from '../../contracts/worker.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { GateSettings } from '../gates/gate-settings.ts';
import type { AttemptContainment } from '../process/containment.ts';
import type { WorkerClient } from '../service/client.ts';
import type { AttemptFolder } from '../workspace/attempt-folder.ts';
import type { Git } from '../workspace/git/git.ts';
import type { Repository } from '../workspace/git/repository.ts';
import type { CloneOrigin } from '../workspace/starting-point.ts';

export interface StepContext {
  readonly task: WorkerTask;
  readonly step: StepDescriptorWire;
  /** The user's repository. Objects and hidden refs are written there; `publish` alone moves a branch. */
  readonly repository: Repository;
  /** Folders outside the repository with objects of it. */
  readonly elsewhere: readonly string[];
  /**
   * Runs on a git folder of the worker over the repository's objects and refs. No hook, no filter, no signing and
   * nothing of `.git/info` takes part; of the configuration the identity alone.
   */
  readonly git: Git;
  /** The folder of this attempt; it is removed with everything in it. */
  readonly folder: AttemptFolder;
  /** Finds and ends every process of this attempt. */
  readonly contained: AttemptContainment;
  /** The worker's environment without credentials, with the attempt's tag. */
  readonly env: NodeJS.ProcessEnv;
  /** `agent_env`: names of variables that the operator passes on. */
  readonly passEnv: string[];
  /** Folders and files of the worker that a confined command does not see. */
  readonly privatePaths: readonly string[];
  readonly stateDir: string;
  readonly gates: GateSettings;
  /** Whether the worker offers an agent program, which runs commands without confinement anyway. */
  readonly offersPrograms: boolean;
  readonly workerId: string;
  /** Time between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  readonly client: Pick<WorkerClient, 'downloadArtifact' | 'downloadRunBundle'>;
  /** The repository of which this one is the worker's clone; undefined: it is the user's own. */
  readonly origin: CloneOrigin | undefined;
  /** Brings the newest commits of the repository's origin, where it has one. @throws WorkspaceError */
  readonly fetchOrigin: () => Promise<void>;
  /** Values that no text of an agent may carry out of this machine. */
  readonly secrets: readonly string[];
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  /** Its reason is `cancelled`, `lease_lost` or `shutdown`. */
  readonly signal: AbortSignal;
}
