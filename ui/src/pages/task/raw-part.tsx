// The task as the service stores it: JSON, events, artifacts with download.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lastEventsQuery } from '../../data/tasks/task-events.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';
import { Artifacts } from './artifacts.tsx';

export function RawPart({ task }: { readonly task: Task }): ReactNode {
  const events = useQuery(lastEventsQuery(task.id));
  return (
    <div className="grid gap-5 p-(--page)">
      <section>
        <h2 className="mb-2 font-semibold">{words.artifacts}</h2>
        <Artifacts taskId={task.id} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{words.json}</h2>
        <JsonTree value={task} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{words.events}</h2>
        <Answer query={events}>{(all) => <JsonTree value={all} />}</Answer>
      </section>
    </div>
  );
}
