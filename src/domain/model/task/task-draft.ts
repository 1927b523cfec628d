// The noun task draft: a task as a caller requests it, and the only list of its defaults.
import type { PushTarget } from '../delivery.ts';
import type { Part, RouteNeeds } from './task.ts';
import type { TaskStep } from './task-step.ts';

/** A task as a caller requests it, before the queue has it. */
export interface TaskDraft extends RouteNeeds {
  readonly title: string;
  readonly prompt: string;
  readonly agentType: string | null;
  readonly model: string | null;
  readonly priority: number;
  readonly conversationId: string | null;
  readonly deadlineAt: string | null;
  readonly maxAttempts: number | null;
  readonly webhookUrl: string | null;
  readonly retryOf: string | null;
  /** The task whose review it carries out. */
  readonly follows: string | null;
  readonly metadata: Record<string, unknown>;
  /** The first message as given, unless it is equal to the prompt's text. */
  readonly message: {
    readonly messageId: string;
    readonly parts: readonly Part[];
    readonly metadata: Record<string, unknown>;
  } | null;
  /** The topic of a component of the service that is notified when the task comes to rest; no caller sets it. */
  readonly topic: string | null;
  /** The step of a run that the task carries out; the director of runs alone sets it. */
  readonly step: TaskStep | null;
  /** Receives the task's changes of status, from the first one on. */
  readonly push?: PushTarget | undefined;
}

type Required = 'title' | 'prompt' | 'codebaseId';

/** Fields of a draft; an absent, undefined or null field gets its default. */
export type DraftFields = Pick<TaskDraft, Required> & {
  readonly [Field in Exclude<keyof TaskDraft, Required>]?: TaskDraft[Field] | null | undefined;
};

/** Builds a draft. Every submit calls it: it returns one shape of object, without a spread. */
export function newDraft(fields: DraftFields): TaskDraft {
  return {
    title: fields.title,
    prompt: fields.prompt,
    codebaseId: fields.codebaseId,
    requiredCapabilities: fields.requiredCapabilities ?? [],
    targetAgent: fields.targetAgent ?? null,
    targetWorkerId: fields.targetWorkerId ?? null,
    agentType: fields.agentType ?? null,
    model: fields.model ?? null,
    priority: fields.priority ?? 0,
    conversationId: fields.conversationId ?? null,
    deadlineAt: fields.deadlineAt ?? null,
    maxAttempts: fields.maxAttempts ?? null,
    webhookUrl: fields.webhookUrl ?? null,
    retryOf: fields.retryOf ?? null,
    follows: fields.follows ?? null,
    metadata: fields.metadata ?? {},
    message: fields.message ?? null,
    topic: fields.topic ?? null,
    step: fields.step ?? null,
    push: fields.push ?? undefined,
  };
}
