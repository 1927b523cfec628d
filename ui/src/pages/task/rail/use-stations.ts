// The life of a task as stations of its track: where it came from, its waits, its attempts, its end, and what came of it.
import { useQuery } from '@tanstack/react-query';
import { attemptsQuery, type Attempt } from '../../../data/tasks/attempts.ts';
import { shortId, useWorkerName } from '../../../data/fleet/fleet.ts';
import { followUpsQuery, retriesQuery } from '../../../data/tasks/related-tasks.ts';
import { isEnded, type Task } from '../../../data/tasks/tasks.ts';
import type { Station } from '../../../parts/marks/track.tsx';
import { durationText } from '../../../parts/marks/duration.ts';
import { commonWords } from '../../../words/en-common.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';

/** A shorter wait is no stretch of the track. */
const shownWaitMs = 1_000;

export function useStations(task: Task): readonly Station[] {
  const workerName = useWorkerName();
  const { data: attempts = [] } = useQuery({ ...attemptsQuery(task.id), enabled: task.attempt > 0 });
  const hasEnded = isEnded(task);
  const { data: retries = [] } = useQuery({ ...retriesQuery(task.id), enabled: hasEnded });
  const { data: followUps = [] } = useQuery({ ...followUpsQuery(task.id), enabled: hasEnded });
  const begun = attempts[0]?.started_at ?? task.started_at;
  return [
    ...switchFrom('retry-of', words.retryOf, task.retry_of),
    ...switchFrom('follows', words.follows, task.follows),
    { id: 'created', kind: 'begin', at: task.created_at, text: words.created },
    ...(begun === null ? [] : waitOf(Date.parse(begun) - Date.parse(task.created_at))),
    ...attempts.map((attempt) => stationOf(attempt, workerName)),
    ...(hasEnded && task.completed_at !== null
      ? [
          {
            id: 'ended',
            kind: task.status === 'completed' ? ('done' as const) : ('end' as const),
            at: task.completed_at,
            text: commonWords.states[task.status],
          },
        ]
      : []),
    ...retries.flatMap(({ id, created_at }) => switchTo(id, words.retriedAs, created_at)),
    ...followUps.flatMap(({ id, created_at }) => switchTo(id, words.followedBy, created_at)),
  ];
}

function waitOf(ms: number): readonly Station[] {
  return ms > shownWaitMs
    ? [{ id: 'waited', kind: 'wait', text: words.waited(durationText(ms, commonWords)), ms }]
    : [];
}

function stationOf(attempt: Attempt, workerName: (id: string) => string): Station {
  const isNow = attempt.ended_at === null;
  const outcome = attempt.outcome ?? 'running';
  return {
    id: attempt.run_id,
    kind: isNow ? 'now' : outcome === 'completed' ? 'done' : outcome === 'needs_input' ? 'ask' : 'lost',
    at: attempt.ended_at ?? attempt.started_at,
    text: isNow
      ? words.attemptNow(attempt.place, workerName(attempt.worker_id))
      : words.attemptEnded(attempt.place, words.outcomes[outcome]),
  };
}

/** The line comes from another one. */
function switchFrom(name: string, text: string, id: string | null): readonly Station[] {
  return id === null ? [] : [{ id: name, kind: 'switch', text, link: linkTo(id) }];
}

/** The line leads to another one. */
function switchTo(id: string, text: string, at: string): readonly Station[] {
  return [{ id, kind: 'switch', text, at, link: linkTo(id) }];
}

function linkTo(id: string): NonNullable<Station['link']> {
  return { label: shortId(id), to: { to: '/v1/monitor/tasks/$id', params: { id } } };
}
