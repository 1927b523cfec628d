// Runs a task: answers a registration by path itself, gives everything else to an agent in its codebase.
import type { StepDescriptorWire } from '../../contracts/step.ts';
import { usage } from '../../contracts/task.ts';
import type { AssignmentWire, WorkerTask } from '../../contracts/worker.ts';
import type { AgentAdapter, AgentUsage } from '../agents/adapter/adapter.ts';
import { chooseAgent, noAgentFor } from '../agents/choose.ts';
import { partitionUsable } from '../agents/programs/usable-agents.ts';
import { bindPath, pendingCodebase } from '../codebases/bind-path.ts';
import type { WorkerClient } from '../service/client.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { ExecuteOptions } from './execute.ts';
import type { WorkerRegistration } from '../service/registration.ts';
import type { AgentInterventions } from './intervention-handler.ts';
import { isSessionName } from './run-turns.ts';
import type { SessionFacts, TaskOutcome } from '../report/task-outcome.ts';
import type { ServedFolders } from '../codebases/served-folders.ts';
import type { SessionStore } from '../report/session-store.ts';
import type { ClonePolicy } from '../workspace/clone.ts';
import type { Git } from '../workspace/git/git.ts';
import type { WorkspaceBinding } from '../workspace/workspace.ts';

export interface AttemptContext {
  /** The codebase's place on this worker, from the assignment. */
  readonly codebase: AssignmentWire['codebase'];
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  /** Interventions of people. */
  readonly interventions: AgentInterventions;
  /** Its reason is `cancelled`, `lease_lost` or `shutdown`. */
  readonly signal: AbortSignal;
}

export interface TaskRunner {
  /** Works on a task to its outcome. @throws unexpected errors, with which the attempt fails */
  run(task: WorkerTask, context: AttemptContext): Promise<TaskOutcome>;
}

export interface TaskRunnerOptions {
  readonly client: Pick<WorkerClient, 'bindCodebase'>;
  readonly registration: Pick<WorkerRegistration, 'current' | 'fresh'>;
  readonly folders: ServedFolders;
  readonly git: Git;
  /** The repositories that may be registered by address. */
  readonly clones: ClonePolicy;
  /** In order of preference, including those that cannot be used now. */
  readonly agents: AgentAdapter[];
  /** Runs an agent with this worker's settings. */
  readonly execute: (
    task: WorkerTask,
    run: Pick<ExecuteOptions, 'agent' | 'binding' | 'session' | 'sessionUsage' | 'onSessionFacts'> &
      Omit<AttemptContext, 'codebase'>,
  ) => Promise<TaskOutcome>;
  readonly sessionStore: SessionStore;
  /** Runs a step of a run, whose descriptor the task has. */
  readonly runStep: (
    run: {
      task: WorkerTask & { readonly step: StepDescriptorWire };
      binding: WorkspaceBinding;
      workerId: string;
    } & Omit<AttemptContext, 'codebase'>,
  ) => Promise<TaskOutcome>;
}

/** An earlier session of the agent, with its total usage if known. */
interface ResumedSession {
  readonly session?: string;
  readonly sessionUsage?: AgentUsage | undefined;
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { client, clones, folders, git, sessionStore, registration } = options;

  /** The session that the task resumes, if it belongs to this agent on this worker. */
  async function findResumedSession(
    { metadata }: WorkerTask,
    agent: AgentAdapter,
    emit: AttemptContext['emit'],
  ): Promise<ResumedSession> {
    if (metadata['resume_session_id'] === undefined) return {};
    const { resume_agent: by, resume_agent_session: session, resume_worker_id: at, resume_agent_usage } = metadata;
    const here = by === agent.name && at === registration.current().workerId && agent.resumes === true;
    if (here && isSessionName(session)) {
      return { session, sessionUsage: usage.safeParse(resume_agent_usage).data };
    }
    const message = `${agent.name} has no session on this worker to resume; it starts with the prompt alone.`;
    await emit({ type: 'progress', message });
    return {};
  }

  /** The folder of the task's codebase, or the error with which the task goes back to the queue. */
  async function findBinding(
    task: WorkerTask,
    codebase: AttemptContext['codebase'],
  ): Promise<{ binding: WorkspaceBinding } | NonNullable<TaskOutcome['error']>> {
    if (codebase !== undefined) return folders.resolveBinding(codebase);
    const message = `The assignment has no path for the codebase ${task.codebase_id ?? '(none)'}. Bind the codebase to this worker.`;
    return { code: 'unknown_codebase', message };
  }

  async function runTask(
    task: WorkerTask,
    { codebase, emit, interventions, signal }: AttemptContext,
  ): Promise<TaskOutcome> {
    if (task.codebase_id === pendingCodebase) {
      const { workerId } = await registration.fresh(signal);
      return bindPath(task, { client, clones, folders, git, workerId, signal });
    }
    const { step } = task;
    if (step !== undefined) {
      const found = await findBinding(task, codebase);
      if ('code' in found) return { status: 'pending', error: found };
      const { workerId } = registration.current();
      return options.runStep({ task: { ...task, step }, ...found, workerId, emit, interventions, signal });
    }
    const { usable, unusable } = await partitionUsable(options.agents);
    const agent = chooseAgent(task, usable, unusable);
    if (agent === undefined) return { status: 'failed', error: noAgentFor(task, usable, unusable) };
    const found = await findBinding(task, codebase);
    if ('code' in found) return { status: 'pending', error: found };
    const { binding } = found;
    sessionStore.recordStart(task, agent.name);
    const resumed = await findResumedSession(task, agent, emit);
    const onSessionFacts = (facts: SessionFacts): void => sessionStore.recordFacts(task, facts);
    const outcome = await options.execute(task, {
      agent,
      binding,
      ...resumed,
      onSessionFacts,
      emit,
      interventions,
      signal,
    });
    sessionStore.recordEnd(task, outcome);
    return outcome;
  }

  return {
    async run(task, context) {
      const outcome = await runTask(task, context);
      return registration.current().features.has('question_options') ? outcome : askInText(outcome);
    },
  };
}

/** The outcome for a service of the first release: it takes questions of text alone. */
function askInText({ message, ...outcome }: TaskOutcome): TaskOutcome {
  if (message === undefined) return outcome;
  const options = (message.options ?? []).map(({ value, label }) => `- ${label ?? value}`);
  return { ...outcome, message: { text: [message.text, ...options].join('\n') } };
}
