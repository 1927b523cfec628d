// SQL generated from the domain's tables, so that each is written once: the limits, and the moves between states.
import { runMovesFrom, runStatuses, storyMovesFrom, storyStatuses } from '../../../domain/model/run/run-state.ts';
import { taskLimits } from '../../../domain/model/task/task-limits.ts';
import { movesFrom, taskStatuses } from '../../../domain/model/task/task-state.ts';

/** Must be installed before the files of functions/, which call these. */
export function generatedFunctions(): string {
  return [...limits(), ...guards.map(stateGuard)].join('\n');
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

interface StateTable {
  readonly table: string;
  readonly noun: string;
  /** The column that names the row in the error. */
  readonly key: string;
  readonly states: readonly string[];
  readonly moves: Readonly<Record<string, readonly string[]>>;
}

function movesOf<S extends string>(
  states: readonly S[],
  movesFromState: (from: S) => readonly S[],
): Pick<StateTable, 'states' | 'moves'> {
  return { states, moves: Object.fromEntries(states.map((state) => [state, movesFromState(state)])) };
}

const guards: readonly StateTable[] = [
  { table: 'tasks', noun: 'task', key: 'id', ...movesOf(taskStatuses, movesFrom) },
  { table: 'ralph_runs', noun: 'run', key: 'id', ...movesOf(runStatuses, runMovesFrom) },
  { table: 'ralph_stories', noun: 'story', key: 'story_id', ...movesOf(storyStatuses, storyMovesFrom) },
];

/** The state table as the condition of an after trigger: an allowed move calls no function and locks no row again. */
function stateGuard({ table, noun, key, states, moves }: StateTable): string {
  const arms = states.flatMap((from) => {
    const allowed = (moves[from] ?? []).map((to) => `'${to}'`);
    return allowed.length === 0 ? [] : [`    when '${from}' then new.status in (${allowed.join(', ')})`];
  });
  return `create or replace function guard_${noun}_state() returns trigger language plpgsql as $$
begin
  raise exception '${noun} % cannot go from % to %', old.${key}, old.status, new.status using errcode = 'SY409';
end $$;
create or replace trigger ${table}_guard_state after update of status on ${table} for each row
  when (old.status is distinct from new.status and not (case old.status
${arms.join('\n')}
    else false
  end))
  execute function guard_${noun}_state();`;
}
