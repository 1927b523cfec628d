// Why an attempt failed, from facts alone: the sentence for readers, the learning, the fingerprint. runs-9.
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import type { CheckResult, GateResult, JudgeVerdict } from '../../model/run/step.ts';
import { cleanLearning } from '../learning-text.ts';
import { failingLines, failureLine } from './failing-lines.ts';
import { failureFingerprint } from './fingerprint.ts';

export interface FailureFacts {
  /** gate_failed, check_failed, judge_failed, tests_changed, no_change, blocked, agent_error, … */
  readonly code: string;
  /** The text after the number of iterations in a story's result. */
  readonly sentence: string;
  /** The learning of kind `failure`, at most 8 KiB. */
  readonly learning: string;
  /** Null: no gate, check or judge rejected it. */
  readonly fingerprint: string | null;
}

/** The failure of a candidate that its check rejected. `failed` are the commands that decided. */
export function describeCheckFailure(code: string, result: CheckResult, failed: readonly GateResult[]): FailureFacts {
  const first = failed[0];
  const finding = describeFinding(code, result);
  const sentence = finding ?? (first === undefined ? code : commandSentence(first));
  const lines = [
    ...(finding === null ? [] : [`- ${finding}`]),
    // A command that is a gate and a check of the story ran once.
    ...[...new Map(failed.map((gate) => [gate.command, gate])).values()].flatMap((gate) => [
      `- ${commandHead(gate)}`,
      ...failingLines(gate.tail, 20).map((line) => `    ${line}`),
    ]),
    ...result.suppressions.slice(0, 20).map((line) => `- added: ${line}`),
  ];
  const names = failed.map((gate) => gate.gate_id ?? gate.command);
  return {
    code,
    sentence,
    learning: cleanLearning(lines.join('\n')),
    fingerprint: failureFingerprint(
      code,
      names,
      failed.flatMap((gate) => failingLines(gate.tail, 3)),
    ),
  };
}

/** The failure of a candidate that the judge rejected. */
export function describeJudgeFailure(verdicts: readonly JudgeVerdict[], criteria: readonly string[]): FailureFacts {
  const text = ({ index, reason }: JudgeVerdict): string =>
    `criterion ${index + 1} (${cutText(criteria[index] ?? '', 200)}): ${plainText(reason).trim()}`;
  const first = verdicts[0];
  return {
    code: 'judge_failed',
    sentence: cutText(first === undefined ? 'the reviewer rejected it' : `the reviewer rejected ${text(first)}`, 300),
    learning: cleanLearning(verdicts.map((verdict) => `- the reviewer rejected ${text(verdict)}`).join('\n')),
    // The words of a judge are an agent's: only which criteria failed counts as sameness.
    fingerprint: failureFingerprint(
      'judge_failed',
      verdicts.map(({ index }) => `criterion ${index}`),
      [],
    ),
  };
}

const agentFailures: Readonly<Record<string, string>> = {
  blocked: 'the agent reports that it cannot be done',
  agent_error: 'the agent failed',
  agent_exit: 'the agent ended with an error',
  timeout: 'the agent was ended after the longest time of an iteration',
  step_limit: 'the agent reached its limit of steps',
  token_limit: 'the agent reached its limit of tokens',
  bundle_too_large: 'the change is too large to be carried',
};

/** The failure of an agent by itself; `detail` is its message, which is data. */
export function describeAgentFailure(code: string, detail: string): FailureFacts {
  const head = agentFailures[code] ?? code;
  const text = plainText(detail).replace(/\s+/g, ' ').trim();
  const sentence = text === '' ? head : `${head}: ${text}`;
  return { code, sentence: cutText(sentence, 300), learning: cleanLearning(`- ${sentence}`), fingerprint: null };
}

function describeFinding(code: string, result: CheckResult): string | null {
  const names = (verdict: string): string =>
    result.protected
      .filter((file) => file.verdict === verdict)
      .map(({ path }) => path)
      .slice(0, 20)
      .join(', ');
  switch (code) {
    case 'gate_changed':
      return `the settings of gates were changed: ${names('gate_changed')}`;
    case 'tests_changed':
      return `existing tests were changed, and those of the base fail on the new code: ${names('tests_changed')}`;
    case 'fewer_tests':
      return `fewer tests ran: ${result.fewer_tests?.now ?? 0} instead of ${result.fewer_tests?.before ?? 0}`;
    case 'files_changed':
      return 'files changed while the gates ran';
    case 'suppressed':
      return 'skipped tests or disabled checks were added';
    case 'no_change':
      return 'nothing was changed';
    default:
      return null;
  }
}

function commandHead(gate: GateResult): string {
  const end = gate.timed_out
    ? 'timed out'
    : gate.exit_code === null
      ? 'was ended by a signal'
      : `exit ${gate.exit_code}`;
  return `\`${cutText(gate.command, 200)}\` ${end}`;
}

function commandSentence(gate: GateResult): string {
  const line = failureLine(gate.tail);
  return line === '' ? commandHead(gate) : `${commandHead(gate)}: ${line}`;
}
