// What is done with a task: a registration by path is answered, everything else goes to an agent in its codebase.
import { usage } from '../../contracts/task.ts';
import type { Assignment, WorkerTask } from '../../contracts/worker.ts';
import type { AgentAdapter, RunUsage } from '../agents/adapter/adapter.ts';
import { chooseAgent, noAgentFor } from '../agents/choose.ts';
import { sortOut } from '../agents/programs/usable.ts';
import { bindPath, pendingCodebase } from '../codebases/bind-path.ts';
import type { ServiceClient } from '../service/client.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { ExecuteOptions, Outcome } from './execute.ts';
import type { Registration } from '../service/registration.ts';
import type { WorkDesk } from './run-desk.ts';
import { isSessionName, type SessionFacts } from './run-turns.ts';
import type { ServedFolders } from '../codebases/served-folders.ts';
import type { SessionJournal } from '../report/session-journal.ts';
import type { ClonePolicy } from '../workspace/clone.ts';
import type { Git } from '../workspace/git/git.ts';

export interface Bench {
  /** Where the assignment says that this worker has the task's codebase. */
  codebase: Assignment['codebase'];
  emit: (event: NewWorkerEvent) => Promise<void>;
  /** What people tell the run. */
  desk: WorkDesk;
  /** Its reason is `cancelled`, `lease_lost` or `shutdown`. */
  signal: AbortSignal;
}

export interface Workshop {
  /** Works on a task to its outcome. @throws what nobody foresaw; then the run has failed */
  carryOut(task: WorkerTask, bench: Bench): Promise<Outcome>;
}

export interface WorkshopOptions {
  client: Pick<ServiceClient, 'bindCodebase'>;
  registration: Registration;
  folders: ServedFolders;
  git: Git;
  /** Which repositories a codebase may be registered for by address. */
  clones: ClonePolicy;
  /** In order of preference, also those that cannot be used now. */
  agents: AgentAdapter[];
  /** Runs an agent with this worker's own settings. */
  execute: (
    task: WorkerTask,
    run: Pick<ExecuteOptions, 'agent' | 'workplace' | 'session' | 'sessionUsage' | 'tell'> & Omit<Bench, 'codebase'>,
  ) => Promise<Outcome>;
  journal: SessionJournal;
}

/** A session of the agent's own, with what it has used in all where that is known. */
interface OwnSession {
  session?: string;
  sessionUsage?: RunUsage | undefined;
}

export function createWorkshop(options: WorkshopOptions): Workshop {
  const { client, clones, folders, git, journal, registration } = options;

  /** The session that the task is to go on with, where this very agent on this worker has it. */
  async function ownSession({ metadata }: WorkerTask, agent: AgentAdapter, emit: Bench['emit']): Promise<OwnSession> {
    if (metadata['resume_session_id'] === undefined) return {};
    const { resume_agent: by, resume_agent_session: session, resume_worker_id: at, resume_agent_usage } = metadata;
    const here = by === agent.name && at === registration.current().workerId && agent.resumes === true;
    if (here && isSessionName(session)) {
      return { session, sessionUsage: usage.safeParse(resume_agent_usage).data };
    }
    const message = `${agent.name} has no session here to go on with: it begins with the prompt alone.`;
    await emit({ type: 'progress', message });
    return {};
  }

  return {
    async carryOut(task, { codebase, emit, desk, signal }) {
      if (task.codebase_id === pendingCodebase) {
        const { workerId } = await registration.fresh(signal);
        return bindPath(task, { client, clones, folders, git, workerId, signal });
      }
      const { usable, unusable } = await sortOut(options.agents);
      const agent = chooseAgent(task, usable, unusable);
      if (agent === undefined) return { status: 'failed', error: noAgentFor(task, usable, unusable) };
      if (codebase === undefined) {
        const message = `The assignment does not say where this worker has the codebase ${task.codebase_id ?? '(none)'}.`;
        return { status: 'pending', error: { code: 'unknown_codebase', message } };
      }
      const found = await folders.workplaceOf(codebase);
      if ('code' in found) return { status: 'pending', error: found };
      const { workplace } = found;
      journal.began(task, agent.name);
      const own = await ownSession(task, agent, emit);
      const tell = (facts: SessionFacts): void => journal.used(task, facts);
      const outcome = await options.execute(task, { agent, workplace, ...own, tell, emit, desk, signal });
      journal.ended(task, outcome);
      return outcome;
    },
  };
}
