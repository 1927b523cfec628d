// The output of a task or of one attempt: opened at its end, followed while the task runs and the page is seen.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { attemptsQuery } from '../../../data/tasks/attempts.ts';
import { createTaskOutput, downloadOutput, type TaskOutput } from '../../../data/tasks/output.ts';
import { isEnded, type Task } from '../../../data/tasks/tasks.ts';
import { setDisplay, useDisplay } from '../../../display/display.ts';
import { useIsSeen } from '../../../live/use-is-seen.ts';
import { copyText } from '../../../parts/controls/copy.ts';
import { OutputView, type LineRange } from '../../../parts/log/output-view.tsx';
import { exactTime } from '../../../parts/marks/duration.ts';
import { Answer } from '../../../parts/states/answer.tsx';
import { Empty } from '../../../parts/states/empty.tsx';
import { Failure } from '../../../parts/states/failure.tsx';
import { Loading } from '../../../parts/states/loading.tsx';
import { Stopped } from '../../../parts/states/waiting.tsx';
import { notify, notifyError } from '../../../parts/states/notices.tsx';
import { useSession } from '../../../session/session.ts';
import { commonWords } from '../../../words/en-common.ts';
import { outputWords } from '../../../words/tasks/en-output.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';
import { AttemptNote } from './attempt-note.tsx';

export function OutputPart({ task }: { readonly task: Task }): ReactNode {
  const { attempt } = useSearch({ strict: false });
  const isAtWork = !isEnded(task) && task.status !== 'pending';
  if (attempt !== undefined) return <AttemptOutput task={task} place={attempt} />;
  return <TaskOutputView key={task.id} task={task} runId={undefined} isLive={isAtWork} rest={restOf(task)} />;
}

function AttemptOutput({ task, place }: { readonly task: Task; readonly place: number }): ReactNode {
  const query = useQuery(attemptsQuery(task.id));
  return (
    <Answer query={query}>
      {(attempts) => {
        const attempt = attempts.find((one) => one.place === place);
        if (attempt === undefined) return <Empty text={words.noAttempt(place)} />;
        const { run_id, outcome, ended_at } = attempt;
        return (
          <>
            <AttemptNote task={task} place={place} part="output" />
            <TaskOutputView key={run_id} task={task} runId={run_id} isLive={ended_at === null} rest={outcome ?? ''} />
          </>
        );
      }}
    </Answer>
  );
}

/** Changes when the task may have written something that no stream has brought. */
function restOf({ status, attempt }: Task): string {
  return `${status} ${attempt}`;
}

interface TaskOutputProps {
  readonly task: Task;
  /** The attempt whose output is shown; undefined: all attempts. */
  readonly runId: string | undefined;
  /** Output is being written. */
  readonly isLive: boolean;
  readonly rest: string;
}

function TaskOutputView({ task, runId, isLive, rest }: TaskOutputProps): ReactNode {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { wrap } = useDisplay();
  const [output] = useState(() => createTaskOutput(task.id, runId));
  const line = useMemo(() => rangeOf(search.line), [search.line]);
  const [state, setState] = useState<'loading' | 'stopped' | 'ready' | { readonly error: unknown }>('loading');
  const load = (): void => {
    setState('loading');
    output.loadEnd().then(
      () => setState('ready'),
      (error: unknown) => setState({ error }),
    );
  };
  useEffect(load, [output]);
  useFollow(output, { isReady: state === 'ready', isLive, rest });
  if (state === 'loading') return <Loading rows={10} onCancel={() => setState('stopped')} />;
  if (state === 'stopped') return <Stopped onRetry={load} />;
  if (typeof state === 'object') return <Failure error={state.error} onRetry={load} />;
  const address = (from: number): string => `${location.origin}/v1/monitor/tasks/${task.id}/output?line=${from}`;
  return (
    <div className="h-[calc(100dvh-6rem)] min-h-80 md:h-[calc(100dvh-3rem)]">
      <OutputView
        store={output.store}
        words={outputWords}
        isWrapped={wrap}
        onWrap={(isWrapped) => setDisplay({ wrap: isWrapped })}
        line={line}
        onLine={(range) =>
          void navigate({
            to: '/v1/monitor/tasks/$id/$part',
            params: { id: task.id, part: 'output' },
            search: (before) => ({ ...before, line: textOfRange(range) }),
            replace: true,
            resetScroll: false,
          })
        }
        lineHref={address}
        onCopyLine={(from) =>
          void copyText(address(from)).then((done) =>
            done ? notify(commonWords.copied) : notifyError(commonWords.copyFailed),
          )
        }
        timeText={exactTime}
        loadOlder={output.loadOlder}
        loadNewer={output.loadNewer}
        loadAround={output.loadAround}
        loadEnd={output.loadEnd}
        search={output.search}
        onDownload={() => void downloadOutput(task.id, runId).catch(notifyError)}
      />
    </div>
  );
}

interface FollowState {
  readonly isReady: boolean;
  readonly isLive: boolean;
  readonly rest: string;
}

/** Follows the output while it is written and seen. What was written meanwhile is read when nothing follows it any more. */
function useFollow(output: TaskOutput, { isReady, isLive, rest }: FollowState): void {
  const session = useSession();
  // A stream ends with its session: that of the next one goes on where it was.
  const token = session.kind === 'signed-in' ? session.session.access_token : undefined;
  const isSeen = useIsSeen();
  const isFollowing = isReady && isSeen && token !== undefined;
  // The output up to the opening of the page was read from its end.
  const known = useRef(rest);
  useEffect(() => {
    if (!isFollowing || !isLive) return;
    const ended = new AbortController();
    output.follow(ended.signal).catch(notifyError);
    return () => ended.abort();
  }, [output, isFollowing, isLive, token]);
  useEffect(() => {
    if (!isFollowing || isLive || known.current === rest) return;
    const ended = new AbortController();
    const read = async (): Promise<void> => {
      await output.catchUp(ended.signal);
      if (!ended.signal.aborted) known.current = rest;
    };
    read().catch(notifyError);
    return () => ended.abort();
  }, [output, isFollowing, isLive, rest]);
}

function rangeOf(text: string | undefined): LineRange | undefined {
  if (text === undefined) return undefined;
  const [from = 1, to = from] = text.split('-').map(Number);
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

function textOfRange({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}
