// The answer to a task's question: how far it came, and its author where that was not this page.
import { api, dataOf } from '../../api/api.ts';
import { notify } from '../../parts/states/notices.tsx';
import { questionWords as words } from '../../words/en-questions.ts';
import type { Task } from './tasks.ts';

/** The question that the task asks now. */
export function openQuestion(task: Task): Task['question'] {
  return task.status === 'needs_input' ? task.question : null;
}

/** `queued` until a worker has the task again with the answer. */
export function answerStateOf(task: Task, questionId: string): 'queued' | 'delivered' {
  return task.status === 'pending' || openQuestion(task)?.question_id === questionId ? 'queued' : 'delivered';
}

const lookMs = 1_000;
const mostLooks = 120;

/** Tells when a worker has the answer, for two minutes: for a page that went on to something else. */
export async function followAnswer(id: string, questionId: string): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const { task } = await dataOf(api().GET('/v1/agent/tasks/{id}', { params: { path: { id } } }));
    if (answerStateOf(task, questionId) === 'queued') continue;
    notify(words.delivered);
    return;
  }
}

export interface Answerer {
  readonly actor: string;
  /** ISO 8601. */
  readonly at: string;
}

const readMessages = 10;

/** The author of the last message to the task, by its log; undefined where that names none. */
export async function findAnswerer(id: string): Promise<Answerer | undefined> {
  const query = { tail: readMessages, types: 'message' };
  const { events } = await dataOf(api().GET('/v1/agent/tasks/{id}/events', { params: { path: { id }, query } }));
  const last = events.findLast((event) => event.type === 'message' && event.data.role === 'user');
  return last?.type !== 'message' || last.data.by === undefined ? undefined : { actor: last.data.by, at: last.at };
}
