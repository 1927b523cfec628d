// Runs one step of a run by its kind, and turns its answer or failure into the outcome of its task.
import type { StepDescriptorWire } from '../../../contracts/step.ts';
import type { WorkerTask } from '../../../contracts/worker.ts';
import { unreachable } from '../../../lib/net/unreachable.ts';
import { AgentError, type AgentAdapter } from '../../agents/adapter/adapter.ts';
import type { AgentInterventions } from '../../attempt/intervention-handler.ts';
import { BundleError } from '../../bundles/bundle-error.ts';
import { dropOldRefs } from '../../bundles/drop-old-refs.ts';
import { cleanText } from '../../process/text.ts';
import type { TaskOutcome } from '../../report/task-outcome.ts';
import { isDiskFull, WorkspaceError } from '../../workspace/git/workspace-error.ts';
import { runDiagnose } from '../agents/diagnose.ts';
import { runImplement } from '../agents/implement.ts';
import { runJudge } from '../agents/judge.ts';
import type { StepAgents } from '../agents/run-step-agent.ts';
import { runLand } from '../commits/land.ts';
import { fetchStepCommits, keepStepCommit } from '../commits/step-commits.ts';
import { runPublish } from '../commits/publish.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';
import { stoppedEnding, type StepEnding } from '../commits/step-ending.ts';
import type { GateSteps } from './gate-steps.ts';
import { openStep, type StepAttempt, type StepSurroundings } from './open-step.ts';

export interface StepRunnerOptions extends StepSurroundings, Omit<StepAgents, 'agents' | 'interventions'> {
  /** In order of preference, including those that cannot be used now. */
  readonly agents: readonly AgentAdapter[];
  readonly gateSteps: GateSteps;
  /** The age at which hidden refs are removed. */
  readonly keepMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type TaskWithStep = WorkerTask & { readonly step: StepDescriptorWire };

export interface StepRun extends Omit<StepAttempt, 'task' | 'step' | 'offersPrograms'> {
  readonly task: TaskWithStep;
  readonly interventions: AgentInterventions;
}

/** @returns runs a step; it rejects with errors of this machine alone */
export function createStepRunner(options: StepRunnerOptions): (run: StepRun) => Promise<TaskOutcome> {
  return async ({ interventions, ...run }) => {
    const { signal, task } = run;
    const offersPrograms = options.agents.some(({ version }) => version !== undefined);
    try {
      await using opened = await openStep(options, { ...run, step: task.step, offersPrograms });
      const outcome = await runKind(opened.context, { ...options, interventions }, options.gateSteps);
      if (signal.aborted && signal.reason !== 'cancelled') return toTaskOutcome(stoppedEnding(signal));
      const { git, repository } = opened.context;
      await dropOldRefs({ git, root: repository.root }, options.now() - options.keepMs);
      return toTaskOutcome(outcome);
    } catch (error) {
      if (signal.aborted) return toTaskOutcome(stoppedEnding(signal));
      return { status: 'failed', error: describeFailure(error) };
    }
  };
}

async function runKind(context: StepContext, agents: StepAgents, gates: GateSteps): Promise<StepEnding> {
  const { kind } = context.step;
  switch (kind) {
    case 'prepare':
      return { result: await gates.prepare(context) };
    case 'implement':
    case 'resolve':
      return runImplement(context, agents, gates.setUp);
    case 'check':
      return runCheckStep(context, gates);
    case 'judge':
      return runJudge(context, agents);
    case 'diagnose':
      return runDiagnose(context, agents);
    case 'land':
      return runLand(context, gates.verify);
    case 'publish':
      return runPublish(context);
    default:
      return unreachable(kind);
  }
}

/** The story's commit is kept and sent like every commit of a step. */
async function runCheckStep(context: StepContext, gates: GateSteps): Promise<StepEnding> {
  const { base, run_base: runBase, candidate } = context.step;
  await fetchStepCommits(
    context,
    [base, runBase, candidate ?? ''].filter((commit) => commit !== ''),
  );
  const result = await gates.check(context);
  if (result.commit !== null) await keepStepCommit(context, { commit: result.commit, base });
  return { result };
}

/** The artifact `step` carries the answer; the task's result is empty. */
function toTaskOutcome(outcome: StepEnding): TaskOutcome {
  if ('release' in outcome) return outcome.release;
  const step = { name: 'step', mime_type: 'application/json', data: outcome.result };
  return {
    status: 'completed',
    artifacts: [step, ...(outcome.artifacts ?? [])],
    ...(outcome.usage === undefined ? {} : { usage: outcome.usage }),
  };
}

/** @throws the error itself when it is not one of a step */
function describeFailure(error: unknown): NonNullable<TaskOutcome['error']> {
  if (isDiskFull(error)) {
    return { code: 'disk_full', message: "The worker's disk is full. Free some space; the step is tried again." };
  }
  const isKnown =
    error instanceof StepError ||
    error instanceof BundleError ||
    error instanceof WorkspaceError ||
    error instanceof AgentError;
  if (!isKnown) throw error;
  return { code: error.code, message: cleanText(error.message).slice(0, 20_000) };
}
