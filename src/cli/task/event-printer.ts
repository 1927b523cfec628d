// Prints a task's events for people: the agent's output to stdout, everything else to stderr.
import type { TaskEventWire } from '../../contracts/event.ts';
import { partText } from '../../contracts/a2a/part-text.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, shorten } from '../core/output.ts';

export interface EventPrinter {
  show(event: TaskEventWire): void;
  /** Prints a line about the task, on a line of its own. */
  note(line: string): void;
}

export function createEventPrinter(io: Pick<CliIo, 'out' | 'err'>): EventPrinter {
  let midLine = false;

  function write(text: string): void {
    if (text === '') return;
    io.out(text);
    midLine = !text.endsWith('\n');
  }

  function note(line: string): void {
    if (midLine) write('\n');
    io.err(`${singleLine(line)}\n`);
  }

  return {
    note,
    show(event) {
      if (event.type === 'output') return write(event.data.text);
      if (event.type === 'message' && event.data.role === 'agent') {
        const texts = event.data.parts.flatMap((part) => ('text' in part ? [part.text] : []));
        return write(`${texts.join('\n')}\n`);
      }
      const line = eventLine(event);
      if (line !== undefined) note(`· ${line}`);
    },
  };
}

const interventionTexts = {
  message: 'the agent received the message',
  pause: 'paused',
  resume: 'goes on',
  cancel: 'the agent was stopped',
} as const;

function eventLine(event: TaskEventWire): string | undefined {
  switch (event.type) {
    case 'status':
      return statusLine(event.data);
    case 'progress': {
      const { percent, message = '' } = event.data;
      return percent === undefined ? message : `${Math.round(percent)} % ${message}`;
    }
    case 'artifact':
      return `artifact ${event.data.name} (${event.data.mime_type})`;
    case 'message':
      return `message: ${shorten(event.data.parts.map(partText).join(' '), 100)}`;
    case 'intervention': {
      const { action, status, reason } = event.data;
      return status === 'delivered'
        ? interventionTexts[action]
        : `${action} failed${reason === undefined ? '' : `: ${reason}`}`;
    }
    default:
      return undefined;
  }
}

type StatusData = Extract<TaskEventWire, { type: 'status' }>['data'];

function statusLine({ status, attempt, reason, error, question }: StatusData): string {
  const parts = [
    attempt !== undefined && attempt > 1 ? `attempt ${attempt}` : '',
    reason ?? '',
    error === undefined || error === null ? '' : `${error.code}: ${error.message}`,
    question === undefined ? '' : `asks: ${question}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? status : `${status} (${parts.join('; ')})`;
}
