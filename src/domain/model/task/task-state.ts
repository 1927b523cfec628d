// The states of a task as one total table, which is the specification. choices-2; drawn in docs/STATES.md. SQL
// functions decide each move; a trigger generated from this table rejects every other move
// (adapters/postgres/generated-functions.ts).

export const taskStatuses = ['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Transitions of a task. */
export const taskTransitions = [
  'claimed',
  'completed',
  'failed',
  'cancelled',
  'asked', // the agent asks back
  'answered',
  'given_back', // lease lost or released, attempts left
  'exhausted', // no attempts left, released too often, or its deadline passed
] as const;
export type TaskTransition = (typeof taskTransitions)[number];

/** The next state for every state and transition; null: the transition is impossible in that state. */
const table: Record<TaskStatus, Record<TaskTransition, TaskStatus | null>> = {
  pending: {
    claimed: 'running',
    completed: null,
    failed: null,
    cancelled: 'cancelled',
    asked: null,
    answered: null,
    given_back: null,
    exhausted: 'failed',
  },
  running: {
    claimed: null,
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
    asked: 'needs_input',
    answered: null,
    given_back: 'pending',
    exhausted: 'failed',
  },
  needs_input: {
    claimed: null,
    completed: null,
    failed: null,
    cancelled: 'cancelled',
    asked: null,
    answered: 'pending',
    given_back: null,
    exhausted: 'failed',
  },
  completed: terminal(),
  failed: terminal(),
  cancelled: terminal(),
};

function terminal(): Record<TaskTransition, null> {
  return {
    claimed: null,
    completed: null,
    failed: null,
    cancelled: null,
    asked: null,
    answered: null,
    given_back: null,
    exhausted: null,
  };
}

/** The state after a transition; null when the transition is impossible. */
export function nextStatus(from: TaskStatus, transition: TaskTransition): TaskStatus | null {
  return table[from][transition];
}

/** Whether a state is final. */
export function isTerminal(status: TaskStatus): boolean {
  return taskTransitions.every((transition) => table[status][transition] === null);
}

/** Whether only the caller can move the task on: it is finished, or it asks for input. */
export function isAtRest(status: TaskStatus): boolean {
  return isTerminal(status) || table[status].answered !== null;
}

/** The states that one transition can reach from this one, each once. */
export function movesFrom(from: TaskStatus): TaskStatus[] {
  return [...new Set(taskTransitions.flatMap((happening) => table[from][happening] ?? []))];
}

/** Whether one transition leads from one state to the other. */
export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  return movesFrom(from).includes(to);
}
