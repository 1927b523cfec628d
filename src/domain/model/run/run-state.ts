// The states of runs, stories, attempts and steps as total tables, which are the specification. runs-5.

export const runStatuses = ['pending', 'running', 'paused', 'needs_input', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runTransitions = [
  'begun',
  'asked',
  'answered', // the last open question
  'paused',
  'resumed',
  'all_passed',
  'gave_up',
  'cancelled',
] as const;
export type RunTransition = (typeof runTransitions)[number];

type RunRow = Readonly<Partial<Record<RunTransition, RunStatus>>>;

/** The next state for every state and transition; an absent one is impossible in that state. */
const runTable: Readonly<Record<RunStatus, RunRow>> = {
  pending: { begun: 'running', paused: 'paused', gave_up: 'failed', cancelled: 'cancelled' },
  running: {
    asked: 'needs_input',
    paused: 'paused',
    all_passed: 'completed',
    gave_up: 'failed',
    cancelled: 'cancelled',
  },
  paused: { resumed: 'running', all_passed: 'completed', cancelled: 'cancelled' },
  needs_input: {
    answered: 'running',
    paused: 'paused',
    all_passed: 'completed',
    gave_up: 'failed',
    cancelled: 'cancelled',
  },
  completed: {},
  failed: {},
  cancelled: {},
};

/** The state after a transition; null when the transition is impossible. */
export function nextRunStatus(from: RunStatus, transition: RunTransition): RunStatus | null {
  return runTable[from][transition] ?? null;
}

export function isRunOver(status: RunStatus): boolean {
  return runMovesFrom(status).length === 0;
}

/** The states that one transition can reach from this one, each once. */
export function runMovesFrom(from: RunStatus): RunStatus[] {
  return [...new Set(Object.values(runTable[from]))];
}

export const storyStatuses = ['pending', 'running', 'passed', 'failed'] as const;
export type StoryStatus = (typeof storyStatuses)[number];

export const storyTransitions = ['started', 'put_back', 'passed', 'carried', 'exhausted', 'given_up'] as const;
export type StoryTransition = (typeof storyTransitions)[number];

const storyTable: Readonly<Record<StoryStatus, Readonly<Partial<Record<StoryTransition, StoryStatus>>>>> = {
  pending: { started: 'running', carried: 'passed', given_up: 'failed' },
  running: { put_back: 'pending', passed: 'passed', exhausted: 'failed', given_up: 'failed' },
  passed: {},
  failed: {},
};

/** The state after a transition; null when the transition is impossible. */
export function nextStoryStatus(from: StoryStatus, transition: StoryTransition): StoryStatus | null {
  return storyTable[from][transition] ?? null;
}

/** The states that one transition can reach from this one, each once. */
export function storyMovesFrom(from: StoryStatus): StoryStatus[] {
  return [...new Set(Object.values(storyTable[from]))];
}

/** The present activity of a running story. */
export const storyPhases = [
  'implementing',
  'checking',
  'judging',
  'landing',
  'resolving',
  'diagnosing',
  'asking',
  'waiting',
] as const;
export type StoryPhase = (typeof storyPhases)[number];

export const attemptStatuses = ['open', 'passed', 'failed', 'void'] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];

export const stepStatuses = ['open', 'asking', 'ok', 'rejected', 'infra', 'cancelled'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export const stepKinds = ['prepare', 'implement', 'check', 'judge', 'land', 'resolve', 'diagnose', 'publish'] as const;
export type StepKind = (typeof stepKinds)[number];

export const questionKinds = [
  'baseline_red',
  'infra',
  'agent_setup',
  'approve_tests',
  'unverifiable',
  'blocked',
  'stuck',
  'conflict',
  'budget',
  'unpriced',
  'branch_moved',
  'agent',
] as const;
export type QuestionKind = (typeof questionKinds)[number];
