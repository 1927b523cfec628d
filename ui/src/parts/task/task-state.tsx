// The state of a task as a mark, and as a sentence.
import type { ReactNode } from 'react';
import { useNow } from '../../api/use-now.ts';
import { isEnded, markStateOf, type Task } from '../../data/tasks/tasks.ts';
import { useWorkerName } from '../../data/fleet/fleet.ts';
import { commonWords } from '../../words/en-common.ts';
import { taskWords as words } from '../../words/tasks/en-task.ts';
import { durationText } from '../marks/duration.ts';
import { StateMark, type StateMarkProps } from '../marks/state-mark.tsx';

export function TaskMark({
  task,
  ...look
}: { readonly task: Task } & Pick<StateMarkProps, 'hideWord' | 'role'>): ReactNode {
  const state = markStateOf(task);
  return <StateMark state={state} word={commonWords.states[state]} {...look} />;
}

/** "Running on build-7 for 3 min, last word 4 s ago". */
export function TaskSentence({ task }: { readonly task: Task }): ReactNode {
  const nameOf = useWorkerName();
  const now = useNow();
  return <span>{sentenceOf(task, now, nameOf)}</span>;
}

function sentenceOf(task: Task, now: number, nameOf: (id: string) => string): string {
  const age = (at: string): string => durationText(now - Date.parse(at), commonWords);
  const worker = task.worker_id === null ? commonWords.unknown : nameOf(task.worker_id);
  if (isEnded(task) && task.completed_at !== null) {
    const took = durationText(
      Date.parse(task.completed_at) - Date.parse(task.started_at ?? task.created_at),
      commonWords,
    );
    return words.endedAfter(commonWords.states[task.status], took, age(task.completed_at));
  }
  if (task.status === 'needs_input') return words.asksSince(age(task.question?.asked_at ?? task.updated_at));
  if (task.status === 'running') {
    const since = age(task.started_at ?? task.created_at);
    if (task.paused_at !== null) return words.pausedOn(worker, age(task.paused_at));
    return `${words.runningOn(worker, since)}, ${words.lastWord(age(task.last_event_at))}`;
  }
  const reason = task.waiting_reason === undefined ? '' : ` ${words.reasons[task.waiting_reason]}`;
  return `${words.waitingFor(age(task.created_at))}.${reason}`;
}

/** A cost that nobody knows is "unpriced", never 0; a task without a report has none. */
export function costText({ usage }: Task): string {
  if (usage === null) return '';
  return usage.cost_usd === undefined ? words.unpriced : words.cost(usage.cost_usd);
}

/** Files and lines that the task changed. */
export function TaskChanges({ task }: { readonly task: Task }): ReactNode {
  if (task.changes === null) return null;
  const { files, added, removed } = task.changes;
  return (
    <span className="whitespace-nowrap">
      {words.files(files)} {words.lines(added, removed)}
    </span>
  );
}
