// A reader for agents that print one JSON event per line: each agent interprets its events, this file does the rest.
import type { AgentReader, AgentReport, OutputChunk } from '../adapter/adapter.ts';
import { createLineSplitter, parseObject } from './json-lines.ts';

/**
 * Interprets one event: changes the report and returns output to show. `undefined`: an event unknown for this agent,
 * shown unchanged.
 */
export type EventHandler = (event: object, report: AgentReport) => OutputChunk[] | undefined;

export function createEventReader(handle: EventHandler): AgentReader {
  const lines = createLineSplitter();
  const report: AgentReport = { finished: false, answer: '' };

  function read(line: string): OutputChunk[] {
    const event = parseObject(line);
    const chunks = event && handle(event, report);
    return chunks ?? [{ stream: 'stdout', text: `${line}\n` }];
  }

  return {
    stdout: (text) => lines.push(text).flatMap(read),
    stderr: (text) => [{ stream: 'stderr', text }],
    end: () => lines.rest().flatMap(read),
    report: () => report,
  };
}

const maxShownChars = 8_000;

/** Text of the agent. */
export function agentText(text: string): OutputChunk[] {
  return text.trim() === '' ? [] : [{ stream: 'agent', text: `${text.trimEnd()}\n` }];
}

/** A tool call, with its most informative argument. */
export function toolCall(name: string, subject: unknown): OutputChunk[] {
  const what = typeof subject === 'string' ? subject : '';
  return [{ stream: 'agent', text: what === '' ? `[${name}]\n` : `[${name}] ${what.slice(0, maxShownChars)}\n` }];
}

/** Output of a tool; a long text is cut. */
export function toolOutput(text: string): OutputChunk[] {
  if (text.trim() === '') return [];
  const shown = text.length > maxShownChars ? `${text.slice(0, maxShownChars)}\n… (${text.length} characters)` : text;
  return [{ stream: 'stdout', text: `${shown.trimEnd()}\n` }];
}
