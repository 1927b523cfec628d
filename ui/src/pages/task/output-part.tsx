// The output of a task or of one attempt: opened at its end, followed while the task runs and the page is seen.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { attemptsQuery } from '../../data/attempts.ts';
import { createTaskOutput, type TaskOutput } from '../../data/output.ts';
import { isEnded, type Task } from '../../data/tasks.ts';
import { setDisplay, useDisplay } from '../../display/display.ts';
import { useIsSeen } from '../../live/use-is-seen.ts';
import { copyText } from '../../parts/controls/copy.ts';
import { OutputView, type LineRange } from '../../parts/log/output-view.tsx';
import { exactTime } from '../../parts/marks/duration.ts';
import { Failure } from '../../parts/states/failure.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { useSession } from '../../session/session.ts';
import { commonWords } from '../../words/en-common.ts';
import { outputWords } from '../../words/en-output.ts';

export function OutputPart({ task }: { readonly task: Task }): ReactNode {
  const { attempt } = useSearch({ strict: false });
  const { data: attempts } = useQuery({ ...attemptsQuery(task.id), enabled: attempt !== undefined });
  if (attempt !== undefined && attempts === undefined) return <Loading />;
  const runId = attempts?.find((one) => one.place === attempt)?.run_id;
  return (
    <TaskOutputView key={`${task.id} ${runId ?? ''}`} task={task} runId={attempt === undefined ? undefined : runId} />
  );
}

function TaskOutputView({ task, runId }: { readonly task: Task; readonly runId: string | undefined }): ReactNode {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { wrap } = useDisplay();
  const [output] = useState(() => createTaskOutput(task.id, runId));
  const line = useMemo(() => rangeOf(search.line), [search.line]);
  const [state, setState] = useState<'loading' | 'ready' | { readonly error: unknown }>('loading');
  const load = (): void => {
    setState('loading');
    output.loadEnd().then(
      () => setState('ready'),
      (error: unknown) => setState({ error }),
    );
  };
  useEffect(load, [output]);
  useFollow(output, state === 'ready' && !isEnded(task) && task.status !== 'pending');
  if (state === 'loading') return <Loading rows={10} />;
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
      />
    </div>
  );
}

function useFollow(output: TaskOutput, isWanted: boolean): void {
  const session = useSession();
  // A stream ends with its session: that of the next one goes on where it was.
  const token = session.kind === 'signed-in' ? session.session.access_token : undefined;
  const isSeen = useIsSeen();
  useEffect(() => {
    if (!isWanted || !isSeen || token === undefined) return;
    const ended = new AbortController();
    output.follow(ended.signal).catch(notifyError);
    return () => ended.abort();
  }, [output, isWanted, isSeen, token]);
}

function rangeOf(text: string | undefined): LineRange | undefined {
  if (text === undefined) return undefined;
  const [from = 1, to = from] = text.split('-').map(Number);
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

function textOfRange({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}
