// The two parts of a codebase's page: its last tasks, and the sessions of agents with a search.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { taskListQuery } from '../../data/tasks/task-lists.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { TaskTable } from '../../parts/task/task-table.tsx';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { SessionList } from './session-list.tsx';

const shownTasks = 50;

export function TasksPart({ codebaseId }: { readonly codebaseId: string }): ReactNode {
  const query = useQuery(taskListQuery({ codebase_id: codebaseId, sort: 'updated', limit: shownTasks }));
  return (
    <section aria-label={words.parts.tasks} className="px-(--page) py-3">
      <Answer query={query}>
        {(tasks) =>
          tasks.length === 0 ? (
            <p className="text-soft">{words.noTasks}</p>
          ) : (
            <>
              <TaskTable tasks={tasks} label={words.parts.tasks} />
              <p className="mt-3">
                <Link to="/v1/monitor/tasks" search={{ codebase: codebaseId }} className="text-accent underline">
                  {words.allTasks}
                </Link>
              </p>
            </>
          )
        }
      </Answer>
    </section>
  );
}

export function AgentSessions({ codebaseId }: { readonly codebaseId: string }): ReactNode {
  const { q = '' } = useSearch({ from: '/v1/monitor/codebases/$id' });
  return (
    <section aria-label={words.parts.sessions} className="px-(--page) py-3">
      <SessionSearch key={q} codebaseId={codebaseId} q={q} />
      <SessionList codebaseId={codebaseId} q={q} />
    </section>
  );
}

function SessionSearch({ codebaseId, q }: { readonly codebaseId: string; readonly q: string }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      data-search
      className="mb-3 flex max-w-[56ch] gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({
          to: '/v1/monitor/codebases/$id',
          params: { id: codebaseId },
          search: { part: 'sessions', q: text.trim() || undefined },
        });
      }}
    >
      <TextField
        className="flex-1"
        label={words.sessionSearch}
        hideLabel
        type="search"
        value={text}
        placeholder={words.sessionSearchPlaceholder}
        onChange={setText}
      />
      <Button type="submit">{words.searchDo}</Button>
    </form>
  );
}
