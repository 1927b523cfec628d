// Under the heading of a task: its state in a sentence, its question or error, its prompt folded.
import { useState, type ReactNode } from 'react';
import { isEnded, type Task } from '../../../data/tasks/tasks.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { TaskSentence } from '../../../parts/task/task-state.tsx';
import { cleanText } from '../../../text/clean.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';
import { ListNeighbours } from './list-neighbours.tsx';
import type { TaskPart } from '../task-search.ts';
import { TaskProblem } from './task-problem.tsx';
import { WhyWaiting } from './why-waiting.tsx';

export function TaskHead({ task, part }: { readonly task: Task; readonly part: TaskPart }): ReactNode {
  return (
    <div className="pb-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-soft">
          <TaskSentence task={task} />
        </p>
        <ListNeighbours id={task.id} part={part} />
      </div>
      {task.status === 'pending' ? <WhyWaiting task={task} /> : null}
      {task.question === null || isEnded(task) ? null : (
        <div className="mt-2 border-s-4 border-ask bg-ask-ground px-3 py-2">
          <h2 className="text-sm font-semibold text-ask">{words.question}</h2>
          <p dir="auto" className="line-clamp-6 whitespace-pre-wrap">
            {cleanText(task.question.text)}
          </p>
        </div>
      )}
      {task.error === null ? null : <TaskProblem task={task} error={task.error} hasOutput={part === 'output'} />}
      <Prompt text={task.prompt} />
    </div>
  );
}

const foldedLength = 600;

function Prompt({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > foldedLength || text.split('\n').length > 6;
  return (
    <div className="mt-2 max-w-[90ch]">
      <h2 className="sr-only">{words.prompt}</h2>
      <p dir="auto" className={`whitespace-pre-wrap ${isOpen ? '' : 'line-clamp-6'}`}>
        {cleanText(isOpen ? text : text.slice(0, 4_000))}
      </p>
      {isLong ? (
        <Button kind="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.showLess : words.showAll}
        </Button>
      ) : null}
    </div>
  );
}
