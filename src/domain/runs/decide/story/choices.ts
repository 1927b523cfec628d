// Chooses the agent, the model and the worker of a step. runs-10, runs-11, runs-12.
import type { RunStep, RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { StepKind } from '../../../model/run/run-state.ts';
import type { RunDraft } from '../draft/run-draft.ts';

/** An agent and its model; null: the worker prefers one. */
export interface AgentChoice {
  readonly agent: string | null;
  readonly model: string | null;
}

/** The agents that may take a step of this kind, in order of preference; empty: any. */
export function agentsFor(draft: RunDraft, story: RunStory, kind: StepKind): readonly string[] {
  if (kind !== 'implement' && kind !== 'resolve') return [];
  return story.agent === null ? draft.run.options.agents : [story.agent];
}

/** The last steps of a story that failed outside it: as many as its wait counts. */
function waitedSteps(draft: RunDraft, story: RunStory, count: number): readonly RunStep[] {
  const ended = draft.endedSteps.filter(({ storyId, status }) => storyId === story.storyId && status === 'infra');
  return count === 0 ? [] : ended.slice(-count);
}

function limitedAgents(draft: RunDraft, story: RunStory, count: number): readonly string[] {
  return waitedSteps(draft, story, count).flatMap(({ code, agent }) =>
    code === 'rate_limited' && agent !== null ? [agent] : [],
  );
}

/** Whether an agent is left that has not met a rate limit in the story's present wait. */
export function hasUntriedAgent(draft: RunDraft, story: RunStory, agents: readonly string[], count: number): boolean {
  const limited = limitedAgents(draft, story, count);
  return agents.some((agent) => !limited.includes(agent));
}

/** The agent that implements or resolves: the first that has not just met a rate limit, else the first of all. */
export function chooseImplementer(draft: RunDraft, story: RunStory): AgentChoice {
  const agents = agentsFor(draft, story, 'implement');
  const limited = limitedAgents(draft, story, story.wait?.count ?? 0);
  const agent = agents.find((name) => !limited.includes(name)) ?? agents[0] ?? null;
  return { agent, model: story.model ?? draft.run.options.model };
}

/** Whether an agent can read a change and answer: `command` runs the commands of a prompt, those of a diff too. */
export function canReview(agent: string): boolean {
  return agent !== 'command';
}

/**
 * The agent that judges and diagnoses: as the run says, else as the service says, else another agent of the codebase than the
 * implementer; where there is none, the implementer in a fresh session. Null: no agent that is known can.
 */
export function chooseVerifier(draft: RunDraft, attempt: StoryAttempt | undefined): AgentChoice {
  const { verifier } = draft.run.options;
  const { verifier: usual, workers } = draft.before;
  const model = verifier.model ?? usual.model;
  const named = verifier.agent ?? usual.agent;
  if (named !== null) return { agent: named, model };
  const implementer = attempt?.agent ?? draft.run.options.agents[0] ?? null;
  const present = workers.filter(({ online }) => online).flatMap(({ agents }) => agents.filter(canReview));
  const self = implementer !== null && canReview(implementer) ? implementer : null;
  return { agent: present.find((agent) => agent !== implementer) ?? self, model };
}

/** Workers that reported in the story's present wait that they lack the base. */
function workersWithoutBase(draft: RunDraft, story: RunStory, count: number): readonly string[] {
  return waitedSteps(draft, story, count).flatMap(({ code, workerId }) =>
    code === 'base_missing' && workerId !== null ? [workerId] : [],
  );
}

function nextWorkerWithBase(draft: RunDraft, story: RunStory, count: number): string | undefined {
  const without = workersWithoutBase(draft, story, count);
  const left = draft.before.workers.filter(({ workerId, online }) => online && !without.includes(workerId));
  return (left.find(({ workerId }) => workerId === draft.run.homeWorkerId) ?? left[0])?.workerId;
}

/** Whether a worker is left that has not reported that it lacks the base. */
export function hasUntriedWorker(draft: RunDraft, story: RunStory, count: number): boolean {
  return nextWorkerWithBase(draft, story, count) !== undefined;
}

/** Workers on which a gate of this run is red at its base, although it was green at home. */
function workersThatDiffer(draft: RunDraft): readonly string[] {
  return draft.endedSteps.flatMap(({ code, workerId }) =>
    code === 'environment_differs' && workerId !== null ? [workerId] : [],
  );
}

/** Home, unless its gates differ by now: then another worker whose gates do not. */
function findWorkerForGates(draft: RunDraft, differing: readonly string[]): string | null {
  const { homeWorkerId } = draft.run;
  if (homeWorkerId !== null && !differing.includes(homeWorkerId)) return homeWorkerId;
  return draft.before.workers.find(({ workerId, online }) => online && !differing.includes(workerId))?.workerId ?? null;
}

/** Whether a worker is left whose gates do not differ. */
export function hasWorkerForGates(draft: RunDraft): boolean {
  return findWorkerForGates(draft, workersThatDiffer(draft)) !== null;
}

/**
 * The worker of a story's next step; null: any. Checks and landings go home once gates have been red on another worker alone;
 * a commit that a person made is at home; a worker that lacks the base is not asked again.
 */
export function chooseWorker(draft: RunDraft, story: RunStory, kind: StepKind, isFromPerson: boolean): string | null {
  const count = story.wait?.count ?? 0;
  if (workersWithoutBase(draft, story, count).length > 0) return nextWorkerWithBase(draft, story, count) ?? null;
  const { homeWorkerId } = draft.run;
  const differing = kind === 'check' || kind === 'land' ? workersThatDiffer(draft) : [];
  if (differing.length > 0) return findWorkerForGates(draft, differing) ?? homeWorkerId;
  return isFromPerson ? homeWorkerId : null;
}

/** Workers that could not prepare, because they lack the commit at which a retry begins. */
function preparersWithoutBase(draft: RunDraft): readonly string[] {
  return draft.endedSteps.flatMap(({ kind, code, workerId }) =>
    kind === 'prepare' && code === 'base_missing' && workerId !== null ? [workerId] : [],
  );
}

/** The worker that prepares the run; null: any. A retry begins where the branch is, and no worker is asked in vain twice. */
export function choosePreparer(draft: RunDraft): string | null {
  const without = preparersWithoutBase(draft);
  const fit = draft.before.workers.filter(({ workerId }) => !without.includes(workerId));
  const home = fit.find(({ workerId }) => workerId === draft.run.homeWorkerId);
  if (home !== undefined) return home.workerId;
  return without.length === 0 ? null : (fit.find(({ online }) => online)?.workerId ?? null);
}

/** Whether a worker is left that may have the base. */
export function hasUntriedPreparer(draft: RunDraft): boolean {
  const without = preparersWithoutBase(draft);
  return draft.before.workers.some(({ workerId, online }) => online && !without.includes(workerId));
}
