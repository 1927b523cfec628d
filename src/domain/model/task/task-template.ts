// The noun task template: a task that a component of the service creates later, each time anew.
import { newDraft, type TaskDraft } from './task-draft.ts';

export interface TaskTemplate {
  readonly title?: string | undefined;
  readonly prompt: string;
  readonly codebaseId?: string | undefined;
  readonly agentType?: string | undefined;
  readonly model?: string | undefined;
  readonly priority?: number | undefined;
  readonly requiredCapabilities?: readonly string[] | undefined;
  readonly targetAgent?: string | undefined;
  readonly targetWorkerId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly maxAttempts?: number | undefined;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The task's deadline, in seconds after its creation. */
  readonly deadlineSeconds?: number | undefined;
}

export interface TemplateFilling {
  /** Defaults for members that the template leaves out. */
  readonly title: string;
  /** Added to the template's. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The component of the service that is notified when the task comes to rest. */
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function draftFromTemplate(template: TaskTemplate, { title, metadata, topic, now }: TemplateFilling): TaskDraft {
  const { deadlineSeconds } = template;
  return newDraft({
    ...template,
    title: template.title ?? title,
    codebaseId: template.codebaseId ?? null,
    metadata: { ...template.metadata, ...metadata },
    deadlineAt: deadlineSeconds === undefined ? null : new Date(now + deadlineSeconds * 1000).toISOString(),
    topic,
  });
}
