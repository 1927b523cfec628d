// The changes of a task or of one attempt: files, patches, and the review of them.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { attemptsQuery } from '../../data/tasks/attempts.ts';
import { changesQuery } from '../../data/tasks/changes.ts';
import { isEnded, type Task } from '../../data/tasks/tasks.ts';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { useMe } from '../../session/use-me.ts';
import { reviewWords as words } from '../../words/tasks/en-review.ts';
import { taskPageWords as pageWords } from '../../words/tasks/en-task-page.ts';
import { AttemptNote } from './output/attempt-note.tsx';
import { ReviewedChanges } from './changes/reviewed-changes.tsx';
import { SentReviews } from './changes/sent-reviews.tsx';

export function ChangesPart({ task }: { readonly task: Task }): ReactNode {
  const { attempt } = useSearch({ strict: false });
  const attempts = useQuery({ ...attemptsQuery(task.id), enabled: attempt !== undefined });
  if (attempt === undefined) return <Changes task={task} runId={undefined} />;
  return (
    <Answer query={attempts}>
      {(all) => {
        const runId = all.find((one) => one.place === attempt)?.run_id;
        return runId === undefined ? (
          <Empty text={pageWords.noAttempt(attempt)} />
        ) : (
          <>
            <AttemptNote task={task} place={attempt} part="changes" />
            <Changes task={task} runId={runId} />
          </>
        );
      }}
    </Answer>
  );
}

function Changes({ task, runId }: { readonly task: Task; readonly runId: string | undefined }): ReactNode {
  const query = useQuery(changesQuery(task.id, runId));
  const me = useMe();
  return (
    <>
      <SentReviews task={task} />
      <Answer query={query}>
        {(files) => {
          if (files.length === 0) return <Empty text={isEnded(task) ? words.noChanges : words.noChangesYet} />;
          if (me === undefined) return <Loading />;
          return (
            <ReviewedChanges
              key={`${task.id} ${runId ?? ''}`}
              task={task}
              runId={runId}
              files={files}
              subject={me.subject}
            />
          );
        }}
      </Answer>
    </>
  );
}
