// The draft of a new run: kept while one is elsewhere, and the body of the call that it means.
import type { NewRunBody } from '../../../data/runs/run-actions.ts';

export interface RunDraft {
  readonly prd: string;
  readonly codebase: string;
  readonly agent: string;
  readonly mode: '' | 'sequential' | 'parallel';
  readonly parallel: string;
  readonly usd: string;
  readonly hours: string;
  readonly iterations: string;
  readonly base: string;
}

const emptyDraft: RunDraft = {
  prd: '',
  codebase: '',
  agent: '',
  mode: '',
  parallel: '',
  usd: '',
  hours: '',
  iterations: '',
  base: '',
};
const storeKey = 'switchyard-new-run';
const secondsAnHour = 3_600;

export function readRunDraft(): RunDraft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('prd' in kept) || typeof kept.prd !== 'string')
      return emptyDraft;
    return { ...emptyDraft, prd: kept.prd };
  } catch {
    return emptyDraft;
  }
}

/** The PRD alone is worth keeping. */
export function keepRunDraft({ prd }: RunDraft): void {
  try {
    sessionStorage.setItem(storeKey, JSON.stringify({ prd }));
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

export function dropRunDraft(): void {
  sessionStorage.removeItem(storeKey);
}

/** The fields that hold no positive number. */
export function wrongNumbers(draft: RunDraft): readonly ('parallel' | 'usd' | 'hours' | 'iterations')[] {
  return (['parallel', 'usd', 'hours', 'iterations'] as const).filter(
    (field) => draft[field] !== '' && !(Number(draft[field]) > 0),
  );
}

/** The body of `POST /v1/ralph/runs`; what was left empty is absent. */
export function runBodyOf(draft: RunDraft): NewRunBody {
  const agents = draft.agent
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const [agent] = agents;
  const budget = {
    ...(draft.usd !== '' && { usd: Number(draft.usd) }),
    ...(draft.hours !== '' && { seconds: Number(draft.hours) * secondsAnHour }),
  };
  return {
    prd: draft.prd,
    ...(draft.codebase !== '' && { codebase_id: draft.codebase }),
    ...(agent !== undefined && { agent: agents.length === 1 ? agent : agents }),
    ...(draft.mode !== '' && { mode: draft.mode }),
    ...(draft.parallel !== '' && { max_parallel: Number(draft.parallel) }),
    ...(draft.iterations !== '' && { max_iterations: Number(draft.iterations) }),
    ...(draft.base !== '' && { base: draft.base }),
    ...(Object.keys(budget).length > 0 && { budget }),
  };
}
