// One line for each event of a run, for people who do not watch in a terminal.
import { z } from 'zod';
import type { RunStreamEvent } from '../../client/follow.ts';
import { shorten, singleLine } from '../core/output.ts';

const text = z.string().catch('');
const number = z.number().catch(0);
/** The members that lines show; whatever an event of a later service lacks is left out. */
const shape = z.object({
  story_id: text,
  status: text,
  phase: text,
  result: text,
  reason: text,
  kind: text,
  code: text,
  gate_id: text,
  passed: z.boolean().catch(false),
  flaky: z.boolean().catch(false),
  exit_code: z.number().nullable().catch(null),
  seconds: number,
  criterion: number,
  by: text,
  commit: text,
  branch: text,
  share: number,
  n: number,
  question: z.object({ question_id: text, kind: text, text }).catch({ question_id: '', kind: '', text: '' }),
});
type EventData = z.output<typeof shape>;

const shortCommit = 7;

/** @returns undefined for events that need no line */
export function runEventLine({ type, at, data }: RunStreamEvent): string | undefined {
  const what = describe(type, shape.parse(data));
  return what === undefined ? undefined : `${at.slice(11, 19)}  ${singleLine(what)}`;
}

function describe(type: RunStreamEvent['type'], data: EventData): string | undefined {
  const { story_id: story, status, reason, n, commit } = data;
  switch (type) {
    case 'run':
      return `run ${status}${bracketed(reason)}`;
    case 'story':
      return `${story} ${data.phase === '' ? status : data.phase}: ${data.result}`;
    case 'step':
      return status === 'open'
        ? undefined
        : `${story === '' ? '' : `${story} `}${data.kind} ${status}${bracketed(data.code)}`;
    case 'gate':
      return `${story === '' ? 'base' : `${story} iteration ${n}`}: gate ${data.gate_id} ${gateOutcome(data)}`;
    case 'evidence':
      return `${story} criterion ${data.criterion + 1} ${status} by ${data.by}`;
    case 'learning':
      return `${story === '' ? '' : `${story} `}learning recorded (${data.kind})`;
    case 'question':
      return `question ${data.question.kind} ${data.question.question_id}: ${shorten(data.question.text, 300)}`;
    case 'answer':
      return data.by === 'moot' ? 'a question became moot' : `answered by ${data.by}`;
    case 'landed':
      return `${story} landed as ${commit.slice(0, shortCommit)}`;
    case 'budget':
      return `${data.share} % of the budget is spent`;
    case 'published':
      return `branch ${data.branch} is at ${commit.slice(0, shortCommit)}`;
    case 'environment_differs':
      return `${story} gates are red on this worker at the base; another worker does the step`;
    default:
      // A later service may have further events.
      return undefined;
  }
}

function gateOutcome({ passed, exit_code: exitCode, seconds, flaky }: EventData): string {
  const outcome = passed ? 'passed' : exitCode === null ? 'failed' : `failed with exit ${exitCode}`;
  return `${outcome} in ${seconds.toFixed(1)} s${flaky ? ', flaky' : ''}`;
}

function bracketed(text_: string): string {
  return text_ === '' ? '' : ` (${text_})`;
}
