// The form of a new task as a page.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { taskQuery } from '../../data/tasks/tasks.ts';
import { Page } from '../../frame/page.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { newTaskWords as words } from '../../words/tasks/en-new-task.ts';
import { draftOf, readDraft } from './task-draft.ts';
import { NewTaskForm } from './new-task-form.tsx';

export function NewTaskPage(): ReactNode {
  const { from, codebase, conversation } = useSearch({ from: '/v1/monitor/tasks/new' });
  const navigate = useNavigate();
  const source = useQuery({ ...taskQuery(from ?? ''), enabled: from !== undefined });
  const isRead = from === undefined || source.data !== undefined || source.isError;
  return (
    <Page title={words.title}>
      {isRead ? (
        <div className="p-(--page)">
          <NewTaskForm
            key={from ?? ''}
            initial={{
              ...(source.data === undefined ? readDraft() : draftOf(source.data)),
              ...(codebase !== undefined && { codebase }),
              ...(conversation !== undefined && { conversation }),
            }}
            note={source.data === undefined ? undefined : words.again(source.data.title)}
            onCreated={(id) => void navigate({ to: '/v1/monitor/tasks/$id', params: { id } })}
          />
        </div>
      ) : (
        <Waiting query={source} />
      )}
    </Page>
  );
}
