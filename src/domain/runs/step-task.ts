// Builds the task of a step that the director opens: its prompt, its descriptor, its route. runs-7, runs-8.
import type { PrdRun, RunLearning, RunStory, StoryAttempt } from '../model/run/run.ts';
import { isRunOver } from '../model/run/run-state.ts';
import type { StepPlan } from '../model/run/effect.ts';
import type { RunSnapshot } from '../model/run/snapshot.ts';
import {
  stepCapability,
  type BundleSource,
  type CommitText,
  type StepCheckCommand,
  type StepDescriptor,
  type StepGate,
} from '../model/run/step.ts';
import { heldLabel } from '../model/held-sends.ts';
import { newDraft, type TaskDraft } from '../model/task/task-draft.ts';
import { tieCriteria, type CriterionTie } from '../prd/criterion-rules.ts';
import { renderProgressFor } from './progress/render-progress.ts';
import { implementPrompt } from './prompt/implement-prompt.ts';
import type { PromptFacts } from './prompt/prompt-facts.ts';
import { diagnosePrompt, judgePrompt, resolvePrompt } from './prompt/review-prompts.ts';

export interface StepTaskInput {
  readonly snapshot: RunSnapshot;
  readonly plan: StepPlan;
  /** The id that the task will have. */
  readonly taskId: string;
  /** The time of the step: the date of its commits. */
  readonly now: Date;
  /** All learnings of the run, oldest first. */
  readonly learnings: readonly RunLearning[];
  /** True: commits may not be published now, so a step that would waits. */
  readonly isPublishingHeld: boolean;
}

/** Attempts that a lost lease may cost before the step ends as infrastructure failure. runs-7. */
const maxStepAttempts = 3;
/** The topic of the director's tasks. */
export const runTopic = 'task_ended';

/** The draft of a step's task. It belongs to the run's creator, who is named when it is submitted. */
export function buildStepTask(input: StepTaskInput): TaskDraft {
  const { snapshot, plan, isPublishingHeld } = input;
  const { run } = snapshot;
  const isHeld = isPublishingHeld && plan.kind === 'publish';
  return newDraft({
    title: titleOf(input),
    prompt: promptOf(input),
    codebaseId: run.codebaseId,
    agentType: agentTypes[plan.kind] ?? null,
    model: plan.model,
    targetAgent: plan.agent,
    targetWorkerId: plan.targetWorkerId,
    requiredCapabilities: isHeld ? [stepCapability, heldLabel] : [stepCapability],
    priority: run.priority,
    conversationId: run.conversationId,
    maxAttempts: maxStepAttempts,
    deadlineAt: deadlineOf(input),
    topic: runTopic,
    step: descriptorOf(input),
  });
}

/** The longest wait of the last publish of a finished run for its home: nobody watches it any more. */
const latePublishMs = 10 * 60_000;

function deadlineOf({ plan, snapshot, now }: StepTaskInput): string | null {
  const isLate = plan.kind === 'publish' && isRunOver(snapshot.run.status);
  return isLate ? new Date(now.getTime() + latePublishMs).toISOString() : null;
}

const agentTypes: Partial<Record<StepPlan['kind'], string>> = {
  implement: 'build',
  resolve: 'build',
  judge: 'plan',
  diagnose: 'plan',
};

function titleOf({ plan, snapshot }: StepTaskInput): string {
  const subject = plan.storyId ?? snapshot.run.project;
  const iteration = plan.n === 0 ? '' : ` (iteration ${plan.n})`;
  return `${subject}: ${plan.kind}${iteration}`.slice(0, 200);
}

function promptOf(input: StepTaskInput): string {
  const { plan, snapshot } = input;
  const facts = promptFacts(input);
  if (facts === undefined) return `Step ${plan.kind} of the run ${snapshot.run.id}.`;
  switch (plan.kind) {
    case 'implement':
      return implementPrompt(facts);
    case 'resolve':
      return resolvePrompt(facts);
    case 'diagnose':
      return diagnosePrompt(facts);
    case 'judge': {
      const evidence = snapshot.evidence.filter(
        ({ storyId, n, by }) => storyId === plan.storyId && n === plan.n && (by === 'gate' || by === 'check'),
      );
      return judgePrompt(facts, plan.criteria, evidence);
    }
    default:
      return `Step ${plan.kind} of the story ${facts.story.storyId} in the run ${snapshot.run.id}.`;
  }
}

function promptFacts({ snapshot, plan, learnings }: StepTaskInput): PromptFacts | undefined {
  const { run, stories, attempts } = snapshot;
  const story = stories.find(({ storyId }) => storyId === plan.storyId);
  if (story === undefined) return undefined;
  return {
    run,
    story,
    stories,
    ties: tiesOf(run, story),
    learnings,
    attempts: attempts.filter(({ storyId }) => storyId === story.storyId),
    n: plan.n,
  };
}

function descriptorOf(input: StepTaskInput): StepDescriptor {
  const { snapshot, plan, taskId, now, learnings } = input;
  const { run, stories, attempts } = snapshot;
  const { options, baseline, prd } = run;
  const isPrepare = plan.kind === 'prepare';
  const story = stories.find(({ storyId }) => storyId === plan.storyId);
  const attempt = attempts.findLast(({ storyId, n }) => storyId === plan.storyId && n === plan.n);
  const makesCommit = plan.kind === 'check' || plan.kind === 'land';
  const worksOnFiles = plan.kind === 'implement' || plan.kind === 'resolve';
  return {
    kind: plan.kind,
    run_id: run.id,
    story_id: plan.storyId,
    n: plan.n,
    created_at: now.toISOString(),
    base: plan.base,
    run_base: run.baseCommit ?? '',
    branch: run.branch,
    branch_policy: options.branchPolicy,
    fetch: [...run.baseBundles, ...landedBundles(snapshot), ...candidateBundle(snapshot, plan)],
    keep_ref: `refs/switchyard/runs/${run.id}/${plan.storyId === null ? 'head' : `${plan.storyId}/${plan.n}`}`,
    setup: isPrepare ? prd.setup : (baseline?.setup ?? []),
    copy: prd.copy,
    gates: isPrepare ? declaredGates(snapshot) : (baseline?.gates ?? []),
    checks: (isPrepare ? stories : stories.filter((each) => each === story)).flatMap((each) =>
      checksOf(snapshot, each),
    ),
    hashes: baseline?.hashes ?? {},
    protect: prd.protect,
    allow_test_changes: story?.allowTestChanges ?? false,
    strict: options.strict,
    baseline: baseline?.results ?? [],
    checks_before: (baseline?.checksBefore ?? []).filter(({ story_id: id }) => id === plan.storyId),
    progress:
      worksOnFiles || (makesCommit && options.commitProgress)
        ? renderProgressFor({ run, learnings, attempts, storyId: plan.storyId ?? undefined })
        : '',
    commit_progress: options.commitProgress,
    timeout_seconds: options.iterationTimeoutSeconds,
    bundle_max_bytes: options.bundleMaxBytes,
    candidate: plan.candidate,
    head: plan.head,
    old_head: plan.oldHead,
    commit: makesCommit && story !== undefined ? commitText(run.id, story, attempt, plan, taskId) : null,
    criteria: plan.criteria.map((index) => ({ index, text: story?.criteria[index] ?? '' })),
    implementer: attempt?.agent ?? null,
    last: plan.last,
    // A part of the stories is nothing to merge into a branch of the user.
    merge_into: plan.last && stories.every(({ status }) => status === 'passed') ? options.mergeInto : null,
  };
}

function commitText(
  runId: string,
  story: RunStory,
  attempt: StoryAttempt | undefined,
  { n }: StepPlan,
  taskId: string,
): CommitText {
  const summary = attempt?.summary.trim() ?? '';
  return {
    subject: `feat: ${story.storyId} - ${story.title.replaceAll(/\s+/g, ' ').trim()}`.slice(0, 200),
    body: summary === '' ? story.description : summary,
    run_id: runId,
    story_id: story.storyId,
    iteration: n,
    task_id: taskId,
  };
}

/** Null: the document leaves them to detection. */
function declaredGates({ run }: RunSnapshot): StepGate[] | null {
  return (
    run.prd.gates?.map(({ id, command, required, timeoutSeconds, network }) => ({
      id,
      command,
      script: null,
      source: 'declared' as const,
      required,
      timeout_seconds: timeoutSeconds,
      network,
    })) ?? null
  );
}

/** The commands that check a story: those it declares, and criteria that are commands of their own. */
function checksOf({ run }: RunSnapshot, story: RunStory): StepCheckCommand[] {
  const own = tiesOf(run, story).flatMap((tie, criterion) =>
    tie.by === 'check' ? [{ story_id: story.storyId, criterion, command: tie.command }] : [],
  );
  const whole = story.checks
    .filter(({ criterion }) => criterion === null)
    .map(({ command }) => ({ story_id: story.storyId, criterion: null, command }));
  return [...own, ...whole];
}

function tiesOf({ baseline, prd }: PrdRun, { criteria, checks }: RunStory): readonly CriterionTie[] {
  return tieCriteria({ acceptanceCriteria: criteria, checks }, baseline?.gates ?? prd.gates ?? []);
}

/** The bundles of the stories that landed in this run, in the order in which they landed: each continues the one before. */
function landedBundles({ stories, endedSteps }: RunSnapshot): BundleSource[] {
  return stories
    .filter(({ status, commit, carriedFrom }) => status === 'passed' && commit !== null && carriedFrom === null)
    .toSorted((a, b) => (a.passedAt ?? '').localeCompare(b.passedAt ?? ''))
    .flatMap(({ storyId, commit }) => {
      const step = endedSteps.findLast(
        ({ storyId: id, result, bundleArtifactId }) =>
          id === storyId &&
          bundleArtifactId !== null &&
          (result?.kind === 'check' || result?.kind === 'land') &&
          result.commit === commit,
      );
      return bundleOf(step, commit);
    });
}

/** The bundle of what an agent made, for steps that work on it. */
function candidateBundle({ endedSteps }: RunSnapshot, { storyId, candidate }: StepPlan): BundleSource[] {
  if (candidate === null) return [];
  const step = endedSteps.findLast(({ storyId: id, result, bundleArtifactId }) => {
    if (id !== storyId || bundleArtifactId === null) return false;
    if (result?.kind === 'check' || result?.kind === 'land') return result.commit === candidate;
    return (result?.kind === 'implement' || result?.kind === 'resolve') && result.candidate?.commit === candidate;
  });
  return bundleOf(step, candidate);
}

function bundleOf(step: RunSnapshot['endedSteps'][number] | undefined, commit: string | null): BundleSource[] {
  if (step?.bundleArtifactId == null || commit === null) return [];
  return [{ task_id: step.taskId, artifact_id: step.bundleArtifactId, commit }];
}
