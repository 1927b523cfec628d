// Opens steps: the row of each and its task, in the transaction of the look.
import { heldLabel, heldRoutePrefix } from '../../model/held-sends.ts';
import type { StepPlan } from '../../model/run/effect.ts';
import type { RunSnapshot } from '../../model/run/snapshot.ts';
import type { TaskDraft } from '../../model/task/task-draft.ts';
import type { Submission } from '../../ports/store/queue.ts';
import type { RunEventDraft } from '../../ports/store/runs.ts';
import type { Rows, SubmitRefusal } from '../../ports/store/store.ts';
import type { DirectorDeps } from './director-deps.ts';
import { routeIdOf } from '../../tasks/routing/route-id.ts';
import { sha256 } from '../../../lib/digest.ts';

/** A step's task cannot be created: its codebase or worker was removed. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
  readonly refusal: SubmitRefusal;

  constructor(refusal: SubmitRefusal) {
    super(`the task of a step was refused: ${refusal}`);
    this.refusal = refusal;
  }
}

export interface OpenedSteps {
  readonly submissions: readonly Submission[];
  readonly events: readonly RunEventDraft[];
}

/**
 * Creates the tasks of steps under ids chosen before, so that a step and its task exist both or not at all.
 * @param snapshot of the rows as the other effects of the decision left them
 * @throws StepRefused; the transaction has to be rolled back
 */
export async function openSteps(
  deps: DirectorDeps,
  rows: Rows,
  snapshot: RunSnapshot,
  plans: readonly StepPlan[],
): Promise<OpenedSteps> {
  const { run } = snapshot;
  const learnings = await rows.runRecords.allLearnings(run.id);
  const now = new Date(deps.now());
  const submissions: Submission[] = [];
  const events: RunEventDraft[] = [];
  for (const plan of plans) {
    const taskId = deps.makeId();
    const isPublishingHeld = plan.kind === 'publish' && (await deps.sends.areHeld());
    const draft = deps.buildStepTask({ snapshot, plan, taskId, now, learnings, isPublishingHeld });
    submissions.push({
      id: taskId,
      attemptId: deps.makeId(),
      draft,
      maxAttempts: draft.maxAttempts ?? deps.defaultMaxAttempts,
      routeId: stepRouteId(draft),
      createdBy: run.createdBy,
      idempotency: undefined,
    });
    await rows.runSteps.insert(run.id, { ...plan, id: deps.makeId(), taskId });
    await notePrompt(rows, run.id, plan, draft.prompt);
    const { storyId: story_id, n, kind } = plan;
    events.push({ type: 'step', data: { story_id, n, kind, task_id: taskId, status: 'open' } });
  }
  const [refusal] = (await rows.taskMoves.submit(submissions)).values();
  if (refusal !== undefined) throw new StepRefused(refusal);
  return { submissions, events };
}

/** The route of a held task keeps its name behind a prefix: the release takes both away (functions/restore). */
function stepRouteId(draft: TaskDraft): string {
  const { requiredCapabilities } = draft;
  if (!requiredCapabilities.includes(heldLabel)) return routeIdOf(draft);
  const free = { ...draft, requiredCapabilities: requiredCapabilities.filter((label) => label !== heldLabel) };
  return `${heldRoutePrefix}${routeIdOf(free)}`;
}

async function notePrompt(rows: Rows, runId: string, plan: StepPlan, prompt: string): Promise<void> {
  if (plan.kind !== 'implement' || plan.storyId === null) return;
  const attempt = { storyId: plan.storyId, n: plan.n, try: plan.try };
  await rows.runStories.updateAttempt(runId, attempt, { promptSha256: sha256(prompt, 'hex') });
}

/** The error of a run whose step nobody can do. */
export function refusalError(refusal: SubmitRefusal): { readonly code: string; readonly message: string } {
  return refusal === 'no_such_codebase'
    ? { code: 'no_codebase', message: 'The codebase of this run was removed. Register it again, then retry the run.' }
    : { code: 'agent_missing', message: 'The worker of this run was removed. Retry the run on another one.' };
}
