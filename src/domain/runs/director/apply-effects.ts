// Applies the effects of one decision within the transaction that holds the row lock of the run.
import { DomainError } from '../../model/errors.ts';
import type { RunChange, RunEffect, StepPlan } from '../../model/run/effect.ts';
import { storyMovesFrom } from '../../model/run/run-state.ts';
import type { PrdRun } from '../../model/run/run.ts';
import type { RunSnapshot } from '../../model/run/snapshot.ts';
import type { RunEventDraft } from '../../ports/store/runs.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { Wake } from '../../ports/wake.ts';
import type { DirectorDeps } from './director-deps.ts';
import { statesBetween } from './status-path.ts';
import { pendingWake } from '../../tasks/routing/pending-wake.ts';
import { unreachable } from '../../../lib/net/unreachable.ts';

/** The rest of a decision, to be done after its rows have changed. */
export interface AppliedEffects {
  /** Events that the rows brought forth, with their new ids; before those of the decision. */
  readonly events: RunEventDraft[];
  /** Steps to open: their tasks are made from the rows as they are now. */
  readonly plans: StepPlan[];
  /** Hints to announce after the commit. */
  readonly hints: Wake[];
  readonly runChange: RunChange;
}

interface Applying extends AppliedEffects {
  readonly deps: DirectorDeps;
  readonly rows: Rows;
  readonly tenantId: string;
  readonly snapshot: RunSnapshot;
  runChange: RunChange;
}

/**
 * Changes the rows of stories, attempts, steps, tasks, questions, evidence and learnings; each effect is one statement,
 * but the changes of all stories are one: each landing changes what every waiting story waits for. Changes of the run
 * itself are collected, and so are new steps.
 * @throws Error when a landed commit has not the run's head as its parent: the decision was not made from these rows
 */
export async function applyEffects(
  deps: DirectorDeps,
  rows: Rows,
  tenantId: string,
  snapshot: RunSnapshot,
  effects: readonly RunEffect[],
): Promise<AppliedEffects> {
  const applying: Applying = { deps, rows, tenantId, snapshot, events: [], plans: [], hints: [], runChange: {} };
  const decided: RunEventDraft[] = [];
  const stories: One<'setStory'>[] = [];
  for (const effect of effects) {
    if (effect.type === 'event') decided.push({ type: effect.event, data: effect.data });
    else if (effect.type === 'setStory') stories.push(effect);
    else await applyOne(applying, effect);
  }
  await setStories(applying, stories);
  applying.events.push(...decided);
  return applying;
}

async function applyOne(applying: Applying, effect: Exclude<RunEffect, { type: 'event' | 'setStory' }>): Promise<void> {
  const { rows, snapshot } = applying;
  const { id: runId } = snapshot.run;
  switch (effect.type) {
    case 'setRun':
      applying.runChange = { ...applying.runChange, ...effect.change };
      return;
    case 'removeStory':
      return rows.runStories.delete(runId, effect.storyId);
    case 'openAttempt':
      return rows.runStories.openAttempt(runId, { ...effect, baseCommit: effect.base });
    case 'setAttempt':
      return setAttempt(applying, effect);
    case 'openStep':
      applying.plans.push(effect.plan);
      return;
    case 'closeStep':
      return closeStep(applying, effect);
    case 'reopenStep':
      return rows.runSteps.reopen(effect.stepId);
    case 'cancelTask':
      return cancelStepTask(applying, effect.taskId, effect.reason);
    case 'answerTask':
      return answerStepTask(applying, effect.taskId, effect.text);
    case 'addEvidence':
      return rows.runRecords.addEvidence(runId, applying.deps.makeId(), effect.evidence);
    case 'addLearning':
      return addLearning(applying, effect);
    case 'ask':
      return ask(applying, effect);
    case 'closeQuestion':
      await rows.runRecords.answer(runId, effect.questionId, null, 'moot');
      return;
    case 'settleQuestion':
      return rows.runRecords.settle(runId, effect.questionId);
    case 'land':
      return land(applying, effect);
    default:
      return unreachable(effect);
  }
}

type One<T extends RunEffect['type']> = Extract<RunEffect, { type: T }>;

async function setStories({ rows, snapshot }: Applying, effects: readonly One<'setStory'>[]): Promise<void> {
  if (effects.length === 0) return;
  const { id: runId } = snapshot.run;
  for (const { storyId, change } of effects) {
    const from = snapshot.stories.find((story) => story.storyId === storyId)?.status;
    const between = from === undefined ? [] : statesBetween(from, change.status ?? from, storyMovesFrom);
    for (const status of between) await rows.runStories.update(runId, storyId, { status });
  }
  await rows.runStories.updateAll(runId, effects);
}

async function setAttempt({ deps, rows, snapshot }: Applying, effect: One<'setAttempt'>): Promise<void> {
  const { status } = effect.change;
  if (status !== undefined && status !== 'open') deps.metrics.attemptEnded(status);
  await rows.runStories.updateAttempt(snapshot.run.id, effect, effect.change);
}

async function closeStep({ deps, rows, snapshot }: Applying, effect: One<'closeStep'>): Promise<void> {
  await rows.runSteps.close(effect.stepId, effect);
  const step = snapshot.openSteps.find((open) => open.step.id === effect.stepId)?.step;
  if (step === undefined || effect.status === 'asking') return;
  deps.metrics.stepEnded(step.kind, Math.max(0, deps.now() - Date.parse(step.createdAt)) / 1000);
  if (step.kind !== 'publish' || effect.status !== 'ok') return;
  // The last publish of a run leaves both; the tasks of its steps are deleted long before the run.
  for (const name of ['bundle', 'diff'] as const) await rows.runs.keepOutput(snapshot.run.id, name, step.taskId);
}

async function cancelStepTask({ rows, tenantId, hints }: Applying, taskId: string, reason: string): Promise<void> {
  const end = await rows.taskMoves.end(taskId, 'cancelled', null, reason);
  if (end.verdict !== 'ended') return;
  if (end.workerId !== null) hints.push({ kind: 'cancel', tenantId, workerId: end.workerId, taskId });
  hints.push({ kind: 'task', tenantId, taskId });
}

async function answerStepTask({ deps, rows, tenantId, hints }: Applying, taskId: string, text: string): Promise<void> {
  const message = { messageId: deps.makeId(), parts: [{ text }], metadata: {} };
  const answer = await rows.taskMoves.answer(taskId, message);
  if (answer.verdict !== 'resumed') return;
  const task = await rows.tasks.find(taskId);
  hints.push({ kind: 'task', tenantId, taskId });
  if (task !== undefined) hints.push(pendingWake(tenantId, task));
}

async function addLearning({ deps, rows, snapshot, events }: Applying, effect: One<'addLearning'>): Promise<void> {
  const id = deps.makeId();
  const { storyId, kind } = effect;
  if (!(await rows.runRecords.addLearning(snapshot.run.id, { ...effect, id }))) return;
  events.push({ type: 'learning', data: { story_id: storyId, id, kind } });
}

async function ask({ deps, rows, snapshot, events }: Applying, effect: One<'ask'>): Promise<void> {
  const id = deps.makeId();
  const { kind, storyId, text, options, data } = effect;
  await rows.runRecords.ask(snapshot.run.id, { id, kind, storyId, text, options, data });
  const question = { question_id: id, kind, story_id: storyId, text, options, data, expires: null };
  events.push({ type: 'question', data: { question: { ...question, asked_at: new Date(deps.now()).toISOString() } } });
}

async function land(applying: Applying, { storyId, commit, parent, source }: One<'land'>): Promise<void> {
  const { rows, snapshot } = applying;
  const { id, baseCommit, headCommit } = { ...snapshot.run, ...applying.runChange };
  if ((headCommit ?? baseCommit) !== parent) throw headMoved(snapshot.run, parent);
  applying.runChange = { ...applying.runChange, headCommit: commit };
  await rows.runStories.setLanded(id, storyId, source);
}

function headMoved({ id, headCommit }: PrdRun, parent: string): DomainError {
  return new DomainError(
    'internal',
    'head_moved',
    `A commit on ${parent} cannot land on run ${id}, whose head is ${headCommit ?? 'unknown'}.`,
  );
}
