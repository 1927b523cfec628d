// The reviews that were sent: the follow-ups of a task, or the task that this one follows, with how far each comment has come.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { changesQuery, readPatch, type FileChange } from '../../../data/tasks/changes.ts';
import { followUpsQuery } from '../../../data/tasks/related-tasks.ts';
import { isEnded, taskQuery, type Task } from '../../../data/tasks/tasks.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { TaskMark } from '../../../parts/task/task-state.tsx';
import { readReviewPrompt, type SentComment } from '../../../text/patch/review-prompt.ts';
import { reviewWords as words } from '../../../words/tasks/en-review.ts';
import { taskWords } from '../../../words/tasks/en-task.ts';
import { progressOf, type CommentProgress } from './comment-progress.ts';
import { CommentText } from './comment-text.tsx';

export function SentReviews({ task }: { readonly task: Task }): ReactNode {
  const { data: followUps = [] } = useQuery(followUpsQuery(task.id));
  const reviewed = useQuery({ ...taskQuery(task.follows ?? ''), enabled: task.follows !== null });
  if (followUps.length === 0 && reviewed.data === undefined) return null;
  return (
    <section aria-label={words.reviews} className="border-b border-line px-(--page) py-2 text-sm">
      {reviewed.data === undefined ? null : (
        <SentReview label={words.reviewOf} shown={reviewed.data} reviewed={reviewed.data} followUp={task} />
      )}
      {followUps.map((followUp) => (
        <SentReview key={followUp.id} label={words.followedBy} shown={followUp} reviewed={task} followUp={followUp} />
      ))}
    </section>
  );
}

interface SentReviewProps {
  readonly label: string;
  /** The other task of the two, which is linked. */
  readonly shown: Task;
  readonly reviewed: Task;
  readonly followUp: Task;
}

function SentReview({ label, shown, reviewed, followUp }: SentReviewProps): ReactNode {
  const comments = useMemo(() => readReviewPrompt(followUp.prompt), [followUp.prompt]);
  const { data: progress } = useQuery({
    queryKey: ['task', followUp.id, 'review-progress', followUp.updated_at, reviewed.updated_at],
    queryFn: () => readProgress(reviewed, followUp, comments),
  });
  const addressed = progress?.filter((state) => state === 'addressed').length ?? 0;
  return (
    <div className="py-1">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="text-soft">{label}</span>
        <Link
          to="/v1/monitor/tasks/$id/$part"
          params={{ id: shown.id, part: 'changes' }}
          search={{}}
          className="inline-block min-h-6 underline"
        >
          <FreeText text={shown.title === '' ? taskWords.untitled : shown.title} />
        </Link>
        <TaskMark task={shown} />
        {comments.length === 0 ? <span className="text-soft">{words.wordOnly}</span> : null}
      </p>
      {comments.length === 0 ? null : (
        <details>
          <summary className="min-h-6 cursor-pointer text-soft">{words.progressOf(addressed, comments.length)}</summary>
          <Comments reviewed={reviewed} comments={comments} progress={progress} />
        </details>
      )}
    </div>
  );
}

function Comments({
  reviewed,
  comments,
  progress,
}: {
  readonly reviewed: Task;
  readonly comments: readonly SentComment[];
  readonly progress: readonly CommentProgress[] | undefined;
}): ReactNode {
  return (
    <ol className="max-h-[40dvh] overflow-y-auto" tabIndex={0} aria-label={words.comments(comments.length)}>
      {comments.map((comment, index) => (
        <li key={index} className="border-t border-line py-2">
          <CommentText comment={comment} note={<Progress state={progress?.[index]} />} />
          <PlaceLink task={reviewed} comment={comment} />
        </li>
      ))}
    </ol>
  );
}

function Progress({ state }: { readonly state: CommentProgress | undefined }): ReactNode {
  if (state === undefined) return null;
  const colour = { open: 'text-ask', addressed: 'text-ok', outdated: 'text-soft' }[state];
  return <span className={`ms-2 font-semibold ${colour}`}>{words.progress[state]}</span>;
}

function PlaceLink({ task, comment }: { readonly task: Task; readonly comment: SentComment }): ReactNode {
  const { path, side = 'new', line } = comment;
  if (path === undefined) return null;
  const at = line === undefined ? undefined : `${side === 'new' ? 'R' : 'L'}${String(line)}`;
  return (
    <Link
      to="/v1/monitor/tasks/$id/$part"
      params={{ id: task.id, part: 'changes' }}
      search={{ file: path, at }}
      className="text-accent underline"
    >
      {words.showPlace}
    </Link>
  );
}

/** The state of each comment, in their order. Patches are read once for each commented file. */
async function readProgress(
  reviewed: Task,
  followUp: Task,
  comments: readonly SentComment[],
): Promise<readonly CommentProgress[]> {
  const isDone = isEnded(followUp);
  const hasChanges = isDone && (followUp.changes?.files ?? 0) > 0;
  const [ofReviewed, ofFollowUp] = await Promise.all([filesOf(reviewed), hasChanges ? filesOf(followUp) : noFiles]);
  const states: CommentProgress[] = [];
  for (const comment of comments) {
    const { path } = comment;
    const patches =
      path === undefined
        ? { reviewed: undefined, followUp: undefined }
        : {
            reviewed: await patchOf(reviewed, ofReviewed, path),
            followUp: await patchOf(followUp, ofFollowUp, path),
          };
    states.push(progressOf(comment, patches, hasChanges));
  }
  return states;
}

const noFiles: ReadonlyMap<string, FileChange> = new Map();

async function filesOf(task: Task): Promise<ReadonlyMap<string, FileChange>> {
  const files = await queryClient.fetchQuery(changesQuery(task.id, undefined));
  return new Map(files.map((file) => [file.path, file]));
}

async function patchOf(task: Task, files: ReadonlyMap<string, FileChange>, path: string): Promise<string | undefined> {
  const file = files.get(path);
  return file === undefined ? undefined : readPatch(task.id, undefined, file);
}
