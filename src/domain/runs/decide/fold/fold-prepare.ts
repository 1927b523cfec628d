// Folds the answer of prepare: the base, the gates with their results there, the home worker. runs-10.
import type { RunWarning } from '../../../model/run/run.ts';
import type { PrepareResult } from '../../../model/run/step.ts';
import { tieCriteria } from '../../../prd/criterion-rules.ts';
import { orderStories } from '../../../prd/story-order.ts';
import { askBaselineRed, askInfra } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { countRunInfra, factsOf, type InfraFailure } from '../story/infra.ts';
import { canReview, hasUntriedPreparer } from '../story/choices.ts';
import { addWarnings } from '../draft/warnings.ts';
import { failRun } from '../story/story-moves.ts';
import { closeAs, type FoldContext, reportGates } from './context.ts';

/** Codes with which no run can begin, whoever tries again. */
const finalCodes: readonly string[] = ['base_not_found', 'not_a_repository', 'branch_exists', 'branch_moved'];

export function foldPrepare(context: FoldContext, result: PrepareResult): void {
  const { draft, task } = context;
  const isRefused = result.branch_exists && draft.run.options.branchPolicy === 'new';
  closeAs(context, isRefused ? 'rejected' : 'ok', isRefused ? 'branch_exists' : null);
  if (isRefused) {
    const message = `The branch ${draft.run.branch} exists. Choose another name, or the branch policy "continue".`;
    failRun(draft, { code: 'branch_exists', message });
    return;
  }
  draft.moveHead(result.base_commit);
  draft.setRun({
    baseCommit: result.base_commit,
    publishedCommit: result.branch_exists ? (result.branch_commit ?? result.base_commit) : null,
    homeWorkerId: task?.workerId ?? null,
    baseline: {
      gates: result.gates,
      setup: result.setup,
      hashes: result.hashes,
      results: result.baseline,
      checksBefore: result.checks_before,
    },
  });
  addWarnings(draft, warningsOf(result));
  reportGates(context, result.baseline);
  if (!canCheck(draft)) {
    const message = 'The repository has no gate, no criterion names a command, and no agent can judge. Add a gate.';
    failRun(draft, { code: 'nothing_can_check', message });
    return;
  }
  applyBaseline(draft, result);
}

/** A prepare that failed: some codes end the run, the others are tried again. */
export function failPrepare(draft: RunDraft, step: FoldContext['step'], failure: InfraFailure): void {
  const { code, message } = failure;
  if (finalCodes.includes(code)) failRun(draft, { code, message });
  else if (code !== 'base_missing') countRunInfra(draft, step, failure);
  else if (!hasUntriedPreparer(draft)) draft.ask(askInfra(factsOf(step, failure, step.infraTries + 1)));
}

/** Fails the run, asks, or goes on, by the run's option, if required gates fail at the base. */
function applyBaseline(draft: RunDraft, result: PrepareResult): void {
  const required = result.gates.filter((gate) => gate.required).map(({ id }) => id);
  const red = result.baseline.filter(({ gate_id, passed }) => !passed && required.includes(gate_id ?? ''));
  if (red.length === 0) return;
  const ids = red.flatMap(({ gate_id }) => gate_id ?? []);
  if (draft.run.options.baseline === 'ignore') makeAdvisory(draft, ids);
  else if (draft.run.options.baseline === 'require') demandFix(draft, ids);
  else draft.ask(askBaselineRed(red));
}

/** Their failure is shown and rejects nothing. */
export function makeAdvisory(draft: RunDraft, gateIds: readonly string[]): void {
  const { baseline } = draft.run;
  if (baseline === null) return;
  const gates = baseline.gates.map((gate) => (gateIds.includes(gate.id) ? { ...gate, required: false } : gate));
  draft.setRun({ baseline: { ...baseline, gates } });
}

/** Gives the first story the guidance to make them green. */
export function demandFix(draft: RunDraft, gateIds: readonly string[]): void {
  const first = orderStories(draft.stories.filter(({ status }) => status === 'pending'))[0];
  if (first === undefined) return;
  const text = `These gates fail at the base of the run and have to pass: ${gateIds.join(', ')}. Make them pass in this story.`;
  draft.addLearning({ storyId: first.storyId, n: null, kind: 'guidance', author: 'director', text });
}

/** Whether any gate, command or judge can produce evidence. */
function canCheck(draft: RunDraft): boolean {
  const gates = draft.run.baseline?.gates ?? [];
  const hasJudge =
    draft.run.options.verifier.agent !== null ||
    draft.before.verifier.agent !== null ||
    draft.before.workers.some(({ agents }) => agents.some(canReview));
  const hasCommand = draft.stories.some(
    (story) =>
      story.checks.length > 0 ||
      tieCriteria({ acceptanceCriteria: story.criteria, checks: story.checks }, gates).some(({ by }) => by !== 'judge'),
  );
  return gates.length > 0 || hasJudge || hasCommand;
}

function warningsOf(result: PrepareResult): readonly RunWarning[] {
  const dirty = 'The folder has changes that are not committed; the run does not have them.';
  return [
    ...(result.dirty ? [{ code: 'dirty_folder', message: dirty }] : []),
    ...result.notes.map((message) => ({ code: 'prepare_note', message })),
  ];
}
