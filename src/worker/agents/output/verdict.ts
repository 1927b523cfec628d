// How a run ended: from what the agent reported, how it exited, what it wrote last and whether it changed anything.
import type { Release } from '../../../contracts/worker.ts';
import type { ChildExit } from '../../process/child-exit.ts';
import { textTail } from '../../process/text.ts';
import type { AgentAdapter, AgentReport, AttemptFailure } from '../adapter/adapter.ts';
import { classifyFailure, isUnreachableMessage } from './failure.ts';
import { parseQuestion } from '../adapter/prompt.ts';

export interface Evidence {
  agent: Pick<AgentAdapter, 'name' | 'program'>;
  exit: ChildExit;
  report: AgentReport;
  /** The end of what it wrote to stderr. */
  stderr: string;
  /** Whether the run changed a file. */
  changed: boolean;
}

export type Verdict = Pick<Release, 'status' | 'result' | 'error' | 'message'>;

const maxResultChars = 900_000;

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** A message with the last lines of what the agent wrote, of its stderr by default: they tell a person most. */
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
  // A shell's exit is its own; a program's last line may say that it is the model that failed it.
  const guess = report.finished && !report.unsure ? undefined : classifyFailure(agent.name, textTail(output, 500));
  const code = guess === undefined || guess.code === 'agent_error' ? 'agent_exit' : guess.code;
  return {
    code,
    message: withLastLines(`${agent.name} ended with ${how}.`, output, isQuiet ? 'Its answer ends with:' : undefined),
  };
}

/** An exit code of 0 alone is no success. */
function hiddenError({ agent, report, stderr, changed }: Evidence): AttemptFailure | undefined {
  if (!report.finished) {
    return { code: 'agent_error', message: withLastLines(`${agent.name} ended before it finished its work.`, stderr) };
  }
  if (!report.unsure || changed) return undefined;
  const reason = [lastLine(report.answer), lastLine(stderr)].find(isUnreachableMessage);
  return reason === undefined ? undefined : classifyFailure(agent.name, reason);
}

/** The outcome of a run that ended by itself. */
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
  const question = report.question ?? parseQuestion(report.answer);
  if (question !== undefined) return { status: 'needs_input', message: { text: question.slice(0, 100_000) }, result };
  return { status: 'completed', result };
}
