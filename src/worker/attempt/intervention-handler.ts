// Handles the interventions of one attempt: each one once, passed to the agent, answered with what happened to it.
// choices-3.
import type { SentInterventionWire, WorkerTask } from '../../contracts/worker.ts';
import type { AgentAdapter } from '../agents/adapter/adapter.ts';
import { createInbox, type Inbox, type OpenInbox } from '../agents/adapter/inbox.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { PauseSwitch, type PauseState } from './pause-switch.ts';

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

export interface InterventionHandlerOptions {
  readonly task: Pick<WorkerTask, 'messages'>;
  /** Reports to the service, under the attempt's lease. */
  readonly answer: (answer: Answer) => void;
  /** Ends the attempt: a person cancelled the task. */
  readonly cancel: () => void;
}

/** The service has at most a thousand open interventions per task, and does not repeat answered ones. */
const maxSeen = 5000;

/**
 * The handler of one attempt is always in one of these modes:
 *
 * - `waiting`: the initial mode. The agent has not started; messages that its first prompt has are delivered by the start.
 * - `working`: the agent works and takes messages, at once or at its next turn.
 * - `deaf`: the agent works and takes none: messages fail, pauses are still possible.
 * - `over`: the final mode. The agent is not started again, and everything fails.
 */
type Mode = 'waiting' | 'working' | 'deaf' | 'over';

export class InterventionHandler implements AgentInterventions {
  readonly inbox: OpenInbox;
  readonly pausing = new PauseSwitch();
  readonly #options: InterventionHandlerOptions;
  readonly #seen = new Set<string>();
  /** Ids of the messages that the agent's first prompt has. */
  readonly #exchange: ReadonlySet<string>;
  /** Interventions with such messages: they are delivered when the agent starts. */
  #awaitingStart: string[] = [];
  #mode: Mode = 'waiting';

  constructor(options: InterventionHandlerOptions) {
    this.#options = options;
    this.#exchange = new Set(options.task.messages.map(({ message_id }) => message_id));
    this.inbox = createInbox(({ id }) => this.#reportDelivered(id, 'message'));
  }

  /** The service repeats an intervention on every channel until it is answered; known ones are skipped. */
  handle(intervention: SentInterventionWire): void {
    if (this.#seen.has(intervention.id)) return;
    this.#seen.add(intervention.id);
    const [oldest] = this.#seen;
    if (this.#seen.size > maxSeen && oldest !== undefined) this.#seen.delete(oldest);
    const { id, action } = intervention;
    if (action === 'message') this.#handleMessage(intervention);
    // Owned: it reports its outcome itself, and never rejects.
    else if (action !== 'cancel') void this.#handlePause(intervention, action);
    else {
      this.#options.cancel();
      this.#reportDelivered(id, action);
    }
  }

  agentStarted({ live, resumes }: Pick<AgentAdapter, 'live' | 'resumes'>): void {
    if (this.#mode !== 'waiting') return;
    this.#mode = 'working';
    for (const id of this.#awaitingStart) this.#reportDelivered(id, 'message');
    this.#awaitingStart = [];
    if (live || resumes) return;
    this.#mode = 'deaf';
    for (const { id } of this.inbox.shut()) this.#reportFailed(id, 'message', 'agent_takes_no_messages');
  }

  close(reason: 'agent_takes_no_messages' | 'run_ended'): void {
    for (const { id } of this.inbox.shut()) this.#reportFailed(id, 'message', reason);
    this.#mode = 'over';
  }

  #handleMessage({ id, message: text = '', message_id: messageId }: SentInterventionWire): void {
    if (messageId !== undefined && this.#exchange.has(messageId)) {
      if (this.#mode === 'waiting') this.#awaitingStart.push(id);
      else this.#reportDelivered(id, 'message');
    } else if (!this.inbox.put({ id, text })) {
      this.#reportFailed(id, 'message', this.#mode === 'deaf' ? 'agent_takes_no_messages' : 'run_ended');
    }
  }

  async #handlePause({ id }: SentInterventionWire, action: 'pause' | 'resume'): Promise<void> {
    if (this.#mode === 'over') this.#reportFailed(id, action, 'run_ended');
    else if (await this.pausing.set(action === 'pause')) this.#reportDelivered(id, action);
    else this.#reportFailed(id, action, 'cannot_pause');
  }

  #reportDelivered(id: string, action: Answer['action']): void {
    this.#options.answer({ type: 'intervention', id, action, status: 'delivered' });
  }

  #reportFailed(id: string, action: Answer['action'], reason: string): void {
    this.#options.answer({ type: 'intervention', id, action, status: 'failed', reason });
  }
}
