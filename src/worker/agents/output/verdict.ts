// The verdict on an attempt, from the agent's report, its exit, its last output and whether it changed a file.
import type { Release } from '../../../contracts/worker.ts';
import type { ChildExit } from '../../process/child-exit.ts';
import { textTail } from '../../process/text.ts';
import type { AgentAdapter, AgentQuestion, AgentReport, AttemptFailure } from '../adapter/adapter.ts';
import { classifyFailure, isUnreachableMessage } from './failure.ts';
import { parseQuestion } from '../adapter/prompt.ts';

export interface Evidence {
  readonly agent: Pick<AgentAdapter, 'name' | 'program'>;
  readonly exit: ChildExit;
  readonly report: AgentReport;
  /** The end of its stderr. */
  readonly stderr: string;
  /** Whether the attempt changed a file. */
  readonly changed: boolean;
}

export type Verdict = Pick<Release, 'status' | 'result' | 'error' | 'message'>;

const maxResultChars = 900_000;

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** A message with the agent's last lines, of its stderr by default, which are the most informative. */
function withLastLines(message: string, text: string, heading = 'Its last lines on stderr:'): string {
  const lines = textTail(text.trim(), 2_000);
  return lines === '' ? message : `${message}\n${heading}\n${lines}`;
}

function exitError({ agent, exit, stderr, report }: Evidence): AttemptFailure | undefined {
  if (exit.kind === 'missing') {
    const message = `The agent program ${agent.program} could not be started: ${exit.reason}`;
    return { code: 'agent_not_found', message };
  }
  if (exit.kind === 'exited' && exit.code === 0) return undefined;
  const how = exit.kind === 'exited' ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  const isQuiet = stderr.trim() === '';
  const output = isQuiet ? report.answer : stderr;
  // A shell's exit code is final; the last line of a program may reveal that its model failed.
  const guess = report.finished && !report.unsure ? undefined : classifyFailure(agent.name, textTail(output, 500));
  // An answer may quote any text; only stderr can show that a provider has limited the agent.
  const isGuess = guess === undefined || guess.code === 'agent_error' || (isQuiet && guess.code === 'rate_limited');
  const code = isGuess ? 'agent_exit' : guess.code;
  return {
    code,
    ...(!isGuess && guess.retry_at !== undefined && { retry_at: guess.retry_at }),
    message: withLastLines(`${agent.name} ended with ${how}.`, output, isQuiet ? 'Its answer ends with:' : undefined),
  };
}

/** An exit code of 0 alone is not success. */
function hiddenError({ agent, report, stderr, changed }: Evidence): AttemptFailure | undefined {
  if (!report.finished) {
    return { code: 'agent_error', message: withLastLines(`${agent.name} ended before it finished its work.`, stderr) };
  }
  if (!report.unsure || changed) return undefined;
  const reason = [lastLine(report.answer), lastLine(stderr)].find(isUnreachableMessage);
  return reason === undefined ? undefined : classifyFailure(agent.name, reason);
}

/** The verdict on an attempt that ended by itself. */
export function judge(evidence: Evidence): Verdict {
  const { report, exit } = evidence;
  const result = report.answer.slice(0, maxResultChars);
  const failure = report.failure && {
    ...report.failure,
    message: withLastLines(report.failure.message, evidence.stderr),
  };
  const error =
    exit.kind === 'missing' ? exitError(evidence) : (failure ?? exitError(evidence) ?? hiddenError(evidence));
  if (error) return { status: 'failed', error, ...(result !== '' && { result }) };
  const question = report.question ?? writtenQuestion(report.answer);
  if (question === undefined) return { status: 'completed', result };
  return { status: 'needs_input', message: { ...question, text: question.text.slice(0, 100_000) }, result };
}

function writtenQuestion(answer: string): AgentQuestion | undefined {
  const text = parseQuestion(answer);
  return text === undefined ? undefined : { text };
}
