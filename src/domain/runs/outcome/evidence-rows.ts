// The evidence of a story's criteria, from the answers of check, land and judge. runs-10.
import { plainText } from '../../../lib/text/plain-text.ts';
import type { CriterionEvidence } from '../../model/run/run.ts';
import type { GateResult, JudgeResult, JudgeVerdict } from '../../model/run/step.ts';
import type { CriterionTie } from '../../prd/criterion-rules.ts';

export type NewEvidence = Omit<CriterionEvidence, 'at'>;
export type CheckOutcomeBefore = 'failed' | 'passed' | 'unknown';

/** The attempt that the evidence refers to, the commit that it holds for, the task that found it. */
export interface EvidenceContext {
  readonly storyId: string;
  readonly n: number;
  readonly commit: string | null;
  readonly taskId: string | null;
  readonly artifactId: string | null;
}

const blank = {
  gateId: null,
  command: null,
  exitCode: null,
  seconds: null,
  before: 'unknown',
  vacuous: false,
  flaky: false,
  counts: null,
  tail: '',
  quotes: [],
  reason: null,
  subject: null,
  sameAgent: false,
} as const satisfies Partial<NewEvidence>;

/** The evidence of every criterion that a command shows and that was run. `before`: the outcome of a command at the base. */
export function commandEvidence(
  context: EvidenceContext,
  plans: readonly CriterionTie[],
  results: readonly GateResult[],
  before: (result: GateResult) => CheckOutcomeBefore,
): readonly NewEvidence[] {
  return plans.flatMap((plan, criterion) => {
    if (plan.by === 'judge') return [];
    const result = resultFor(plan, criterion, results);
    if (result === undefined) return [];
    const outcome = before(result);
    const row = {
      ...blank,
      ...context,
      criterion,
      by: plan.by,
      status: result.passed ? ('passed' as const) : ('failed' as const),
      gateId: result.gate_id,
      command: result.command,
      exitCode: result.exit_code,
      seconds: result.seconds,
      before: outcome,
      // A gate is green before most stories; only a criterion's own check proves something by having been red.
      vacuous: plan.by === 'check' && outcome === 'passed',
      flaky: result.flaky,
      counts: result.counts ?? null,
      tail: result.tail.slice(-4096),
    };
    return [row];
  });
}

function resultFor(
  plan: Exclude<CriterionTie, { by: 'judge' }>,
  criterion: number,
  results: readonly GateResult[],
): GateResult | undefined {
  if (plan.by === 'gate') return results.find(({ gate_id }) => gate_id === plan.gateId);
  const commands = results.filter(({ gate_id }) => gate_id === null);
  const declared = commands.filter((result) => result.criterion === criterion);
  const own = declared.length > 0 ? declared : commands.filter(({ command }) => command === plan.command);
  // Several commands of one criterion all have to succeed.
  return own.find(({ passed }) => !passed) ?? own[0];
}

/** The evidence of every criterion that the judge was asked for; what it left out is unverifiable. */
export function judgeEvidence(
  context: EvidenceContext,
  asked: readonly number[],
  result: JudgeResult,
): readonly NewEvidence[] {
  return readVerdicts(asked, result).map(({ index, verdict, quotes, reason }) => ({
    ...blank,
    ...context,
    criterion: index,
    by: 'judge',
    status: verdict === 'pass' ? 'passed' : verdict === 'fail' ? 'failed' : 'unverified',
    quotes: quotes.filter(({ holds }) => holds).map(({ path, line, text }) => ({ path, line, text })),
    reason: plainText(reason),
    sameAgent: result.same_agent,
  }));
}

/**
 * One verdict for each criterion asked for. A criterion that is missing, that has two verdicts, or that passes without a
 * quote that holds, cannot be verified; a fail among several verdicts is a fail.
 */
export function readVerdicts(asked: readonly number[], result: JudgeResult): readonly JudgeVerdict[] {
  return asked.map((index) => {
    const given = result.criteria.filter((one) => one.index === index);
    const fail = given.find(({ verdict }) => verdict === 'fail');
    const [only] = given;
    if (fail !== undefined) return fail;
    if (only === undefined)
      return { index, verdict: 'unverifiable', quotes: [], reason: 'the reviewer gave no verdict' };
    const holds = given.length === 1 && only.verdict === 'pass' && only.quotes.some((quote) => quote.holds);
    return holds ? only : { ...only, verdict: 'unverifiable' };
  });
}

/** The evidence of a criterion that a person decides, or has decided ahead by an option of the run. */
export function humanEvidence(
  context: EvidenceContext,
  criterion: number,
  status: 'passed' | 'failed',
  subject: string,
  reason: string | null,
): NewEvidence {
  return { ...blank, ...context, criterion, by: 'human', status, subject, reason };
}
