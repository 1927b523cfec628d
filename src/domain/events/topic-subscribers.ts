// Delivers messages of topics to the components of the service that subscribed to them, at least once each.
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';
import type { DueTopicMessage, TopicMessage } from '../ports/topics.ts';

/** A component that creates tasks with its topic and has to know when they come to rest. */
export interface TopicSubscriber {
  readonly topic: string;
  /** Handles one message. It may receive the same message again, so its effect has to be idempotent. */
  handle(message: TopicMessage): Promise<void>;
}

export interface TopicDeps {
  readonly store: Store;
  readonly crossTenant: Pick<CrossTenantQueries, 'dueTopicMessages'>;
  readonly subscribers: readonly TopicSubscriber[];
  readonly log: (line: string, details?: unknown) => void;
}

const batchSize = 100;
/** The delay after the first failure; it doubles up to the longest. */
const firstDelaySeconds = 2;
const longestDelaySeconds = 300;

/**
 * One round: handles due messages until a batch is short. A message is deleted after its handler succeeded. A message whose
 * handler failed is kept, and due again after a growing delay; the others are handled meanwhile.
 * @returns how many messages were handled
 */
export async function deliverTopicMessages(deps: TopicDeps, signal?: AbortSignal): Promise<number> {
  const { crossTenant, subscribers } = deps;
  const topics = subscribers.map(({ topic }) => topic);
  let handled = 0;
  let due: readonly DueTopicMessage[];
  do {
    due = await crossTenant.dueTopicMessages(topics, batchSize);
    for (const one of due) {
      if (signal?.aborted === true) return handled;
      if (await deliver(deps, one)) handled += 1;
    }
  } while (due.length === batchSize);
  return handled;
}

async function deliver(
  { store, subscribers, log }: TopicDeps,
  { tenantId, messageId }: DueTopicMessage,
): Promise<boolean> {
  const message = await store.within({ tenantId }, (rows) => rows.topicMessages.find(messageId));
  const subscriber = subscribers.find(({ topic }) => topic === message?.topic);
  if (message === undefined || subscriber === undefined) return false;
  try {
    await subscriber.handle(message);
  } catch (error) {
    const delaySeconds = Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** Math.min(message.tries, 20));
    const { topic, taskId } = message;
    log(`failed to handle a message of the topic ${topic}; will retry in ${delaySeconds} s`, {
      task_id: taskId,
      error,
    });
    const text = error instanceof Error ? error.message : String(error);
    await store.within({ tenantId }, (rows) => rows.topicMessages.postpone(messageId, delaySeconds, text));
    return false;
  }
  await store.within({ tenantId }, (rows) => rows.topicMessages.delete(messageId));
  return true;
}
