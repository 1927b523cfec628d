// SQL generated from the domain's tables, so that each is written once: the limits, and the moves between states.
import { taskLimits } from '../../../domain/model/task/task-limits.ts';
import { movesFrom, taskStatuses } from '../../../domain/model/task/task-state.ts';

/** Must be installed before the files of functions/, which call these. */
export function generatedFunctions(): string {
  return [...limits(), stateGuard()].join('\n');
}

/** Immutable functions of one constant each: the planner replaces a call by the constant, so it costs nothing. */
function limits(): string[] {
  return [
    constant('max_message_bytes', 'bigint', taskLimits.messageBytes),
    constant('max_releases', 'integer', taskLimits.releases),
    constant('release_hold', 'interval', `${taskLimits.holdSeconds} s`),
    constant('late_artifact_time', 'interval', `${taskLimits.lateArtifactSeconds} s`),
    constant('first_release_number', 'bigint', taskLimits.firstReleaseNumber),
  ];
}

function constant(name: string, type: string, value: string | number): string {
  return `create or replace function ${name}() returns ${type} language sql immutable parallel safe as
  $$ select ${type} '${value}' $$;`;
}

/** The state table as the condition of an after trigger: an allowed move calls no function and locks no row again. */
function stateGuard(): string {
  const arms = taskStatuses.flatMap((from) => {
    const moves = movesFrom(from).map((to) => `'${to}'`);
    return moves.length === 0 ? [] : [`    when '${from}' then new.status in (${moves.join(', ')})`];
  });
  return `create or replace function guard_task_state() returns trigger language plpgsql as $$
begin
  raise exception 'task % cannot go from % to %', old.id, old.status, new.status using errcode = 'SY409';
end $$;
create or replace trigger tasks_guard_state after update of status on tasks for each row
  when (old.status is distinct from new.status and not (case old.status
${arms.join('\n')}
    else false
  end))
  execute function guard_task_state();`;
}
