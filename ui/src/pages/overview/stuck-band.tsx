// The band of what waits without a worker, and of tasks that are slow.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useNow } from '../../api/use-now.ts';
import { useCodebaseName } from '../../data/fleet/fleet.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { Age, Ago } from '../../parts/marks/time.tsx';
import { useTaskActions } from '../../parts/task/use-task-actions.ts';
import { commonWords } from '../../words/en-common.ts';
import { overviewWords as words } from '../../words/en-overview.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { Remedy } from '../task/head/why-waiting.tsx';
import { Band } from './band.tsx';
import type { SlowReason, WaitingRoute } from './overview-data.ts';
import { TaskLine, type TaskLineProps } from './task-line.tsx';

interface StuckBandProps {
  readonly routes: readonly WaitingRoute[];
  readonly slow: readonly { readonly task: Task; readonly reasons: readonly SlowReason[] }[];
  readonly current: number;
  readonly onFocus: TaskLineProps['onFocus'];
}

export function StuckBand({ routes, slow, current, onFocus }: StuckBandProps): ReactNode {
  if (routes.length === 0 && slow.length === 0) return null;
  return (
    <Band title={words.stuck}>
      <ul>
        {routes.map((route) => (
          <RouteRow key={JSON.stringify(route)} route={route} />
        ))}
        {slow.map(({ task, reasons }, index) => (
          <TaskLine
            key={task.id}
            task={task}
            index={index}
            isCurrent={current === index}
            onFocus={onFocus}
            facts={<SlowReasons task={task} reasons={reasons} />}
            time={<Age since={task.started_at ?? task.created_at} />}
            actions={<SlowActions task={task} />}
          />
        ))}
      </ul>
    </Band>
  );
}

function RouteRow({ route }: { readonly route: WaitingRoute }): ReactNode {
  const codebaseName = useCodebaseName();
  const { codebase_id, agent_type, target, required_capabilities, count, oldest_at } = route;
  const names = [
    codebase_id === null ? '' : codebaseName(codebase_id),
    agent_type ?? '',
    target ?? '',
    ...required_capabilities,
  ];
  const codebase = codebase_id === null || codebase_id === 'global' ? {} : { codebase: codebase_id };
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-b border-line px-(--page) py-2">
      <span className="self-start pt-0.5">
        <StateMark state="pending" word={commonWords.states.pending} hideWord />
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span>
            <FreeText text={words.waitFor(count, names.filter(Boolean).join(', '))} />
          </span>
          <span className="text-sm text-soft">{taskWords.reasons[route.waiting_reason]}</span>
          <span className="text-sm text-soft">
            <OldestSince at={oldest_at} />
          </span>
          <Link
            to="/v1/monitor/tasks"
            search={{ status: 'pending', ...codebase }}
            className="text-sm text-accent underline"
          >
            {words.showTasks(count)}
          </Link>
        </p>
        <div className="max-w-[90ch] text-sm">
          <Remedy text={route.remedy} />
        </div>
      </div>
    </li>
  );
}

function OldestSince({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  return words.oldest(durationText(now - Date.parse(at), commonWords));
}

function SlowReasons({ task, reasons }: { readonly task: Task; readonly reasons: readonly SlowReason[] }): ReactNode {
  const now = useNow();
  const age = (at: string | null): string => durationText(now - Date.parse(at ?? task.created_at), commonWords);
  return (
    <span className="inline-flex flex-wrap gap-x-3 text-bad">
      {reasons.map((reason) => (
        <span key={reason}>
          {reason === 'silent' ? words.silent(age(task.last_event_at ?? task.started_at)) : null}
          {reason === 'paused' ? words.paused(age(task.paused_at)) : null}
          {reason === 'attempts' ? words.attempts(task.attempt, task.max_attempts) : null}
          {reason === 'deadline' && task.deadline_at !== null ? (
            <>
              {words.deadline} <Ago at={task.deadline_at} />
            </>
          ) : null}
        </span>
      ))}
    </span>
  );
}

/** The actions that help with a slow task; the others are on its page and on the keys. */
function SlowActions({ task }: { readonly task: Task }): ReactNode {
  const actions = useTaskActions(task).filter(({ id }) => id === 'tell' || id === 'pause');
  return actions.map(({ id, label, run, disabledReason }) => (
    <Button key={id} onClick={run} disabledReason={disabledReason}>
      {label}
    </Button>
  ));
}
