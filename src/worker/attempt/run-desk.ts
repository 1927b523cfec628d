// Where what people tell one run comes in: each is heard once, handed to the agent, and answered truthfully. choices §3.
import type { SentInterventionWire, WorkerTask } from '../../contracts/worker.ts';
import type { AgentAdapter } from '../agents/adapter/adapter.ts';
import { createInbox, type Inbox } from '../agents/adapter/inbox.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { createPauseSwitch, type Pausing } from './pausing.ts';

type Answer = Extract<NewWorkerEvent, { type: 'intervention' }>;

/** What the execution of a run has of its desk. */
export interface WorkDesk {
  inbox: Inbox;
  pausing: Pausing;
  /** The agent is being started with the task's prompt and the exchange so far. */
  begins(agent: Pick<AgentAdapter, 'live' | 'resumes'>): void;
  /** The agent is started no more: what it has not taken fails. */
  over(why: 'agent_takes_no_messages' | 'run_ended'): void;
}

export interface RunDesk extends WorkDesk {
  /** The service says the same again until it is answered, on every way it has: what is known is passed over. */
  hear(intervention: SentInterventionWire): void;
}

export interface DeskOptions {
  task: Pick<WorkerTask, 'messages'>;
  /** Tells the service, under the run's lease. */
  answer: (answer: Answer) => void;
  /** Ends the run: a person cancelled the task. */
  cancel: () => void;
}

/** The service has at most a thousand of a task under way, and answered ones do not come again. */
const remembered = 5000;

export function createDesk({ task, answer, cancel }: DeskOptions): RunDesk {
  const seen = new Set<string>();
  const exchange = new Set(task.messages.map(({ message_id }) => message_id));
  const inbox = createInbox(({ id }) => delivered(id, 'message'));
  const pauses = createPauseSwitch();
  /** In the exchange that the agent begins with, and so delivered when it does. */
  let toBegin: string[] = [];
  let state: 'waiting' | 'working' | 'deaf' | 'over' = 'waiting';

  function delivered(id: string, action: Answer['action']): void {
    answer({ type: 'intervention', id, action, status: 'delivered' });
  }

  function failed(id: string, action: Answer['action'], reason: string): void {
    answer({ type: 'intervention', id, action, status: 'failed', reason });
  }

  function message({ id, message: text = '', message_id: messageId }: SentInterventionWire): void {
    if (messageId !== undefined && exchange.has(messageId)) {
      if (state === 'waiting') toBegin.push(id);
      else delivered(id, 'message');
    } else if (!inbox.put({ id, text })) {
      failed(id, 'message', state === 'deaf' ? 'agent_takes_no_messages' : 'run_ended');
    }
  }

  async function pause({ id }: SentInterventionWire, action: 'pause' | 'resume'): Promise<void> {
    if (state === 'over') failed(id, action, 'run_ended');
    else if (await pauses.set(action === 'pause')) delivered(id, action);
    else failed(id, action, 'cannot_pause');
  }

  return {
    inbox,
    pausing: pauses,
    hear(intervention) {
      if (seen.has(intervention.id)) return;
      seen.add(intervention.id);
      const [oldest] = seen;
      if (seen.size > remembered && oldest !== undefined) seen.delete(oldest);
      const { id, action } = intervention;
      if (action === 'message') message(intervention);
      else if (action !== 'cancel') void pause(intervention, action);
      else {
        cancel();
        delivered(id, action);
      }
    },
    begins({ live, resumes }) {
      if (state !== 'waiting') return;
      state = 'working';
      for (const id of toBegin) delivered(id, 'message');
      toBegin = [];
      if (live || resumes) return;
      state = 'deaf';
      for (const { id } of inbox.shut()) failed(id, 'message', 'agent_takes_no_messages');
    },
    over(why) {
      for (const { id } of inbox.shut()) failed(id, 'message', why);
      state = 'over';
    },
  };
}
