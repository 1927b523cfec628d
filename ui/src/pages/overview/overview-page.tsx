// Overview: what needs a person, what is stuck, what is at work, what has just ended, and the last day as a chart.
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { workersQuery } from '../../data/fleet/fleet.ts';
import { Page } from '../../frame/page.tsx';
import { attentionQuery } from '../../live/attention-count.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { Age, Ago } from '../../parts/marks/time.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { TaskChanges } from '../../parts/task/task-state.tsx';
import { useMe, type Me } from '../../session/use-me.ts';
import { frameWords } from '../../words/en-frame.ts';
import { overviewWords as words } from '../../words/en-overview.ts';
import { useListKeys } from '../tasks/rows/use-list-keys.ts';
import { Band } from './band.tsx';
import { LastDay } from './last-day.tsx';
import { NeedsYou } from './needs-you.tsx';
import {
  useHasTasks,
  useHealth,
  useSlowTasks,
  useTasksAtWork,
  useTasksJustEnded,
  useWaitingRoutes,
} from './overview-data.ts';
import { StuckBand } from './stuck-band.tsx';
import { LastOutputLine, TaskLine } from './task-line.tsx';

export function OverviewPage(): ReactNode {
  const me = useMe();
  if (me === undefined) return null;
  const lacking = ['monitor:read', 'tasks:read'].find((permission) => !me.permissions.includes(permission));
  return lacking === undefined ? <OverviewOrStart me={me} /> : <NoRead title={words.title} permission={lacking} />;
}

/** A tenant without a task begins at the page Start. */
function OverviewOrStart({ me }: { readonly me: Me }): ReactNode {
  const hasTasks = useHasTasks();
  if (hasTasks === false) return <Navigate to="/v1/monitor/start" replace />;
  return (
    <Page
      title={words.title}
      actions={
        <Link to="/v1/monitor/tasks/new" className={buttonClass('primary')}>
          {frameWords.newTask}
        </Link>
      }
    >
      {hasTasks === undefined ? <Loading rows={10} /> : <Bands me={me} />}
    </Page>
  );
}

function Bands({ me }: { readonly me: Me }): ReactNode {
  const { data: asking = [] } = useQuery(attentionQuery('asking'));
  const { data: wrong = [] } = useQuery(attentionQuery('wrong'));
  const health = useHealth();
  const routes = useWaitingRoutes(me.permissions.includes('monitor:read'));
  const slow = useSlowTasks();
  const running = useTasksAtWork();
  const ended = useTasksJustEnded();
  const { current, setCurrent } = useLines(slow, running, ended);
  const reasons = health?.status === 'degraded' ? health.reasons : [];
  const isQuiet = asking.length + wrong.length + reasons.length + routes.length + slow.length + running.length === 0;
  return (
    <>
      {isQuiet ? <p className="px-(--page) py-4 text-soft">{words.quiet}</p> : null}
      <NeedsYou items={[...asking, ...wrong]} reasons={reasons} />
      <StuckBand routes={routes} slow={slow} current={current} onFocus={setCurrent} />
      {running.length === 0 ? null : (
        <Band title={words.atWork} aside={<Slots me={me} />}>
          <ul>
            {running.map((task, place) => (
              <TaskLine
                key={task.id}
                task={task}
                index={slow.length + place}
                isCurrent={current === slow.length + place}
                onFocus={setCurrent}
                facts={<LastOutputLine task={task} none={words.noOutput} />}
                time={
                  <WorkTime
                    since={task.started_at ?? task.created_at}
                    attempt={task.attempt}
                    most={task.max_attempts}
                  />
                }
              />
            ))}
          </ul>
        </Band>
      )}
      {ended.length === 0 ? null : (
        <Band
          title={words.ended}
          aside={
            <Link to="/v1/monitor/tasks" className="text-accent underline">
              {words.allTasks}
            </Link>
          }
        >
          <ul>
            {ended.map((task, place) => (
              <TaskLine
                key={task.id}
                task={task}
                index={slow.length + running.length + place}
                isCurrent={current === slow.length + running.length + place}
                onFocus={setCurrent}
                facts={
                  <span className="text-soft">
                    <TaskChanges task={task} />
                  </span>
                }
                time={<Ago at={task.completed_at ?? task.updated_at} />}
              />
            ))}
          </ul>
        </Band>
      )}
      <LastDay />
    </>
  );
}

function WorkTime({
  since,
  attempt,
  most,
}: {
  readonly since: string;
  readonly attempt: number;
  readonly most: number;
}): ReactNode {
  return (
    <>
      <Age since={since} />
      {attempt > 1 ? ` · ${words.attempts(attempt, most)}` : null}
    </>
  );
}

/** The keys of the lines: they are one list, from the top of the page to its end. */
function useLines(
  slow: ReturnType<typeof useSlowTasks>,
  running: ReturnType<typeof useTasksAtWork>,
  ended: ReturnType<typeof useTasksJustEnded>,
): { readonly current: number; readonly setCurrent: (index: number) => void } {
  const [current, setCurrent] = useState(-1);
  const tasks = useMemo(() => [...slow.map(({ task }) => task), ...running, ...ended], [slow, running, ended]);
  const focusRow = useCallback((index: number) => {
    setCurrent(index);
    document.querySelector<HTMLElement>(`#content [data-row="${String(index)}"]`)?.focus();
  }, []);
  useListKeys({ tasks, current, focusRow });
  return { current, setCurrent };
}

function Slots({ me }: { readonly me: Me }): ReactNode {
  const { data } = useQuery({ ...workersQuery(), enabled: me.permissions.includes('workers:read') });
  if (data === undefined) return null;
  const online = data.filter(({ status }) => status === 'active');
  const sum = (of: (worker: (typeof online)[number]) => number): number =>
    online.reduce((total, worker) => total + of(worker), 0);
  return words.slots(
    sum(({ running }) => running),
    sum(({ slots }) => slots),
  );
}
