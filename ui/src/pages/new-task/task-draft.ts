// The draft of a task: what the form holds, and the call that it means. Kept in sessionStorage while it is written.
import type { Schemas } from '../../../../src/client/client.ts';
import type { operations } from '../../../../src/client/api.ts';

export interface TaskDraft {
  readonly title: string;
  readonly prompt: string;
  readonly codebase: string;
  readonly agent: string;
  readonly model: string;
  readonly priority: string;
  readonly deadline: string;
  readonly attempts: string;
  readonly capabilities: string;
  readonly worker: string;
  readonly base: string;
  readonly conversation: string;
  readonly webhook: string;
  readonly metadata: string;
}

export const emptyDraft: TaskDraft = {
  title: '',
  prompt: '',
  codebase: '',
  agent: '',
  model: '',
  priority: '',
  deadline: '',
  attempts: '',
  capabilities: '',
  worker: '',
  base: '',
  conversation: '',
  webhook: '',
  metadata: '',
};

const storageKey = 'switchyard_new_task';

/** The draft of this tab; the empty one without any. */
export function readDraft(): TaskDraft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
    const values =
      typeof kept === 'object' && kept !== null ? new Map<string, unknown>(Object.entries(kept)) : new Map();
    const text = (key: keyof TaskDraft): string => {
      const value: unknown = values.get(key);
      return typeof value === 'string' ? value : '';
    };
    return {
      title: text('title'),
      prompt: text('prompt'),
      codebase: text('codebase'),
      agent: text('agent'),
      model: text('model'),
      priority: text('priority'),
      deadline: text('deadline'),
      attempts: text('attempts'),
      capabilities: text('capabilities'),
      worker: text('worker'),
      base: text('base'),
      conversation: text('conversation'),
      webhook: text('webhook'),
      metadata: text('metadata'),
    };
  } catch {
    return emptyDraft;
  }
}

export function keepDraft(draft: TaskDraft): void {
  sessionStorage.setItem(storageKey, JSON.stringify(draft));
}

export function dropDraft(): void {
  sessionStorage.removeItem(storageKey);
}

/** The draft that repeats a task. */
export function draftOf(task: Schemas['Task']): TaskDraft {
  const base = task.metadata['git_base'];
  return {
    ...emptyDraft,
    title: task.title,
    prompt: task.prompt,
    codebase: task.codebase_id ?? '',
    agent: task.agent_type ?? '',
    model: task.model ?? '',
    priority: task.priority === 0 ? '' : String(task.priority),
    capabilities: task.required_capabilities.join(', '),
    conversation: task.conversation_id ?? '',
    webhook: task.webhook_url ?? '',
    base: typeof base === 'string' ? base : '',
  };
}

export type NewTaskBody = NonNullable<operations['tasks.create']['requestBody']>['content']['application/json'];

const longestTitle = 200;

/** True when the field holds a JSON object, or nothing. */
export function isMetadata(text: string): boolean {
  return metadataOf(text) !== undefined;
}

function metadataOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The body of `POST /v1/agent/tasks`; what was left empty is absent. */
export function bodyOf(draft: TaskDraft): NewTaskBody {
  const firstLine = draft.prompt.trim().split('\n', 1)[0] ?? '';
  const metadata = { ...metadataOf(draft.metadata), ...(draft.base !== '' && { git_base: draft.base }) };
  const capabilities = draft.capabilities
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    title: (draft.title.trim() === '' ? firstLine : draft.title.trim()).slice(0, longestTitle),
    prompt: draft.prompt,
    ...(draft.codebase !== '' && { codebase_id: draft.codebase }),
    ...(draft.agent !== '' && { agent_type: draft.agent }),
    ...(draft.model !== '' && { model: draft.model }),
    ...(draft.priority !== '' && { priority: Number(draft.priority) }),
    ...(draft.deadline !== '' && { deadline_at: new Date(draft.deadline).toISOString() }),
    ...(draft.attempts !== '' && { max_attempts: Number(draft.attempts) }),
    ...(capabilities.length > 0 && { required_capabilities: capabilities }),
    ...(draft.worker !== '' && { target_worker_id: draft.worker }),
    ...(draft.conversation !== '' && { conversation_id: draft.conversation }),
    ...(draft.webhook !== '' && { webhook_url: draft.webhook }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
