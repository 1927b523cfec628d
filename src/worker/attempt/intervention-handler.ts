// Handles the interventions of one attempt: each one once, passed to the agent, answered with what happened to it.
// choices-3.
import type { SentInterventionWire, WorkerTask } from '../../contracts/worker.ts';
import type { AgentAdapter } from '../agents/adapter/adapter.ts';
import { createInbox, type Inbox } from '../agents/adapter/inbox.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { createPauseSwitch, type PauseState } from './pause-switch.ts';

type Answer = Extract<NewWorkerEvent, { type: 'intervention' }>;

/** The part of the handler that the execution of an attempt uses. */
export interface AgentInterventions {
  readonly inbox: Inbox;
  readonly pausing: PauseState;
  /** Must be called when the agent is started with the task's prompt and the messages so far. */
  agentStarted(agent: Pick<AgentAdapter, 'live' | 'resumes'>): void;
  /** Must be called when the agent will not be started again: messages that it did not take fail. */
  close(reason: 'agent_takes_no_messages' | 'run_ended'): void;
}

export interface InterventionHandler extends AgentInterventions {
  /** The service repeats an intervention on every channel until it is answered; known ones are skipped. */
  handle(intervention: SentInterventionWire): void;
}

export interface InterventionHandlerOptions {
  readonly task: Pick<WorkerTask, 'messages'>;
  /** Reports to the service, under the attempt's lease. */
  readonly answer: (answer: Answer) => void;
  /** Ends the attempt: a person cancelled the task. */
  readonly cancel: () => void;
}

/** The service has at most a thousand open interventions per task, and does not repeat answered ones. */
const maxSeen = 5000;

export function createInterventionHandler({ task, answer, cancel }: InterventionHandlerOptions): InterventionHandler {
  const seen = new Set<string>();
  const exchange = new Set(task.messages.map(({ message_id }) => message_id));
  const inbox = createInbox(({ id }) => reportDelivered(id, 'message'));
  const pauses = createPauseSwitch();
  /** Ids of messages in the agent's first prompt: they are delivered when the agent starts. */
  let awaitingStart: string[] = [];
  let state: 'waiting' | 'working' | 'deaf' | 'over' = 'waiting';

  function reportDelivered(id: string, action: Answer['action']): void {
    answer({ type: 'intervention', id, action, status: 'delivered' });
  }

  function reportFailed(id: string, action: Answer['action'], reason: string): void {
    answer({ type: 'intervention', id, action, status: 'failed', reason });
  }

  function handleMessage({ id, message: text = '', message_id: messageId }: SentInterventionWire): void {
    if (messageId !== undefined && exchange.has(messageId)) {
      if (state === 'waiting') awaitingStart.push(id);
      else reportDelivered(id, 'message');
    } else if (!inbox.put({ id, text })) {
      reportFailed(id, 'message', state === 'deaf' ? 'agent_takes_no_messages' : 'run_ended');
    }
  }

  async function handlePause({ id }: SentInterventionWire, action: 'pause' | 'resume'): Promise<void> {
    if (state === 'over') reportFailed(id, action, 'run_ended');
    else if (await pauses.set(action === 'pause')) reportDelivered(id, action);
    else reportFailed(id, action, 'cannot_pause');
  }

  return {
    inbox,
    pausing: pauses,
    handle(intervention) {
      if (seen.has(intervention.id)) return;
      seen.add(intervention.id);
      const [oldest] = seen;
      if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest);
      const { id, action } = intervention;
      if (action === 'message') handleMessage(intervention);
      else if (action !== 'cancel') void handlePause(intervention, action);
      else {
        cancel();
        reportDelivered(id, action);
      }
    },
    agentStarted({ live, resumes }) {
      if (state !== 'waiting') return;
      state = 'working';
      for (const id of awaitingStart) reportDelivered(id, 'message');
      awaitingStart = [];
      if (live || resumes) return;
      state = 'deaf';
      for (const { id } of inbox.shut()) reportFailed(id, 'message', 'agent_takes_no_messages');
    },
    close(reason) {
      for (const { id } of inbox.shut()) reportFailed(id, 'message', reason);
      state = 'over';
    },
  };
}
