// The times of a run: how long it was active, when the director looks again, and why it waits. runs-7.
import { isRunOver } from '../../../model/run/run-state.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { activeSecondsOf, nextTimeBound } from './budget.ts';
import { homeGoneAt, isHomeNeeded } from './publish.ts';

/** The interval of looks for changes that nothing announces: room in the tenant, an enabled owner, a worker. */
const pollMs = 60_000;

/** Active time is counted while the run is `running`: not while it is paused or waits for an answer. */
export function countActiveTime(draft: RunDraft): void {
  const { run } = draft;
  if (run.status === 'running') {
    if (run.activeSince === null) draft.setRun({ activeSince: draft.at });
  } else if (run.activeSince !== null) {
    const seconds = activeSecondsOf(run, draft.now);
    draft.setRun({ spent: { ...run.spent, seconds }, activeSince: null });
  }
}

export function setWaitingReason(draft: RunDraft): void {
  const { status } = draft.run;
  const isLimited = status === 'pending' && draft.before.activeRuns >= draft.before.maxActiveRuns;
  const isIdle = draft.openSteps.length === 0 && draft.plans.length === 0 && status === 'running';
  const waiting = draft.stories.find(({ phase }) => phase === 'waiting');
  const waitingReason = isRunOver(status)
    ? null
    : !draft.before.ownerActive
      ? 'owner_disabled'
      : isLimited
        ? 'runs_at_limit'
        : isIdle
          ? (waiting?.wait?.reason ?? null)
          : null;
  draft.setRun({ waitingReason });
}

/** Sets when the director looks again: null where a task or a person comes first. */
export function setDueAt(draft: RunDraft): void {
  const times = [...dueTimes(draft)];
  const due = Math.min(...times);
  const { dueAt } = draft.before.run;
  // The database may write the same time otherwise; that is no change.
  if (dueAt !== null && Date.parse(dueAt) === due) return;
  draft.setRun({ dueAt: times.length === 0 ? null : new Date(due).toISOString() });
}

function* dueTimes(draft: RunDraft): Generator<number> {
  const { run, before, now } = draft;
  if (isRunOver(run.status)) return;
  if (!before.ownerActive || run.status === 'pending') {
    yield nextPoll(draft);
    return;
  }
  if (run.status === 'paused') return;
  for (const { phase, wait } of draft.stories) {
    if (phase === 'waiting' && wait !== null && wait.notBefore !== null) yield Date.parse(wait.notBefore);
  }
  const bound = nextTimeBound(run, now);
  if (bound !== null) yield bound;
  const gone = isHomeNeeded(draft) ? homeGoneAt(draft) : null;
  if (gone !== null) yield gone > now.getTime() ? gone : nextPoll(draft);
}

/** A minute from now; one that was set before stays, so that a look that finds nothing changes nothing. */
function nextPoll({ before, now }: RunDraft): number {
  const set = before.run.dueAt === null ? 0 : Date.parse(before.run.dueAt);
  return set > now.getTime() && set <= now.getTime() + pollMs ? set : now.getTime() + pollMs;
}
