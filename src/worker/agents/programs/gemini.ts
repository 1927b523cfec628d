// The agent program `gemini` (npm @google/gemini-cli): headless, prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReader, AgentReport, AgentInput, OutputChunk } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { classifyFailure } from '../output/failure.ts';
import { parseModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { addUsage } from '../output/usage.ts';

const parameters = z
  .looseObject({ command: z.string().optional(), file_path: z.string().optional(), pattern: z.string().optional() })
  .catch({});
const stats = z.looseObject({ input_tokens: z.number(), output_tokens: z.number(), cached: z.number().default(0) });
const geminiEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), session_id: z.string().min(1).max(200) }),
  z.object({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.object({ type: z.literal('tool_use'), tool_name: z.string(), tool_id: z.string(), parameters }),
  z.object({
    type: z.literal('tool_result'),
    tool_id: z.string(),
    status: z.string(),
    output: z.string().default(''),
    error: z.looseObject({ message: z.string() }).optional(),
  }),
  z.object({ type: z.literal('error'), severity: z.string(), message: z.string() }),
  z.object({
    type: z.literal('result'),
    status: z.string(),
    error: z.looseObject({ message: z.string() }).optional(),
    stats: stats.optional(),
  }),
]);
type GeminiEvent = z.infer<typeof geminiEvent>;

/** Its text since the last tool call arrives in pieces; it is shown by whole lines. */
interface ReadState {
  rest: string;
  /** Whether a tool was used since its last text: new text begins a new answer. */
  toolUsed: boolean;
  /** Names of the tools whose results are outstanding. */
  readonly using: Map<string, string>;
}

function onText(text: string, report: AgentReport, state: ReadState): OutputChunk[] {
  if (state.toolUsed) report.answer = '';
  state.toolUsed = false;
  report.answer += text;
  state.rest += text;
  const at = state.rest.lastIndexOf('\n') + 1;
  const lines = state.rest.slice(0, at);
  state.rest = state.rest.slice(at);
  return agentText(lines);
}

function flushText(state: ReadState): OutputChunk[] {
  const chunks = agentText(state.rest);
  state.rest = '';
  return chunks;
}

function onResult(end: Extract<GeminiEvent, { type: 'result' }>, report: AgentReport): OutputChunk[] {
  if (end.stats) {
    const { input_tokens: input, output_tokens: output, cached } = end.stats;
    report.usage = addUsage(undefined, { input, cached, output, cost: 0 });
  }
  report.finished = end.status === 'success';
  if (report.finished) delete report.failure;
  else report.failure ??= classifyFailure('gemini', end.error?.message ?? end.status);
  return [];
}

function handle(event: object, report: AgentReport, state: ReadState): OutputChunk[] | undefined {
  const known = geminiEvent.safeParse(event).data;
  if (known === undefined) return 'type' in event ? [] : undefined;
  if (known.type === 'message') return known.role === 'assistant' ? onText(known.content, report, state) : [];
  const before = flushText(state);
  switch (known.type) {
    case 'init':
      report.session = known.session_id;
      return before;
    case 'tool_use': {
      const { command, file_path: file, pattern } = known.parameters;
      state.toolUsed = true;
      state.using.set(known.tool_id, known.tool_name);
      countToolCall(report, known.tool_name);
      return [...before, ...toolCall(known.tool_name, command ?? file ?? pattern)];
    }
    case 'tool_result': {
      const name = state.using.get(known.tool_id) ?? '';
      state.using.delete(known.tool_id);
      if (known.status !== 'success' && name !== '') countToolFailure(report, name);
      const shown = name === 'run_shell_command' ? toolOutput(known.output) : [];
      return [...before, ...shown, ...toolOutput(known.error?.message ?? '')];
    }
    case 'error':
      if (known.severity === 'error') report.failure = classifyFailure('gemini', known.message);
      return [...before, { stream: 'stderr', text: `${known.message}\n` }];
    case 'result':
      return [...before, ...onResult(known, report)];
    default:
      return unreachable(known);
  }
}

/** Gemini retries an unreachable model for minutes, and reports it only on stderr. */
const retrying = /^Attempt \d+ failed[^\n]*|^[^\n]*Retrying[^\n]*/im;

function read(): AgentReader {
  const state: ReadState = { rest: '', toolUsed: false, using: new Map() };
  const reader = createEventReader((event, report) => {
    delete report.waitingForModel;
    return handle(event, report, state);
  });
  return {
    ...reader,
    stderr(text) {
      const reason = retrying.exec(text)?.[0];
      if (reason !== undefined) reader.report().waitingForModel = reason.slice(0, 500);
      return reader.stderr(text);
    },
    end: () => [...reader.end(), ...flushText(state)],
  };
}

/** A prompt that starts like one of gemini's own commands would be run as that command. */
function promptFor({ prompt }: AgentInput): string {
  return /^\s*[/?]/.test(prompt) ? `The task:\n${prompt}` : prompt;
}

/**
 * Nobody can answer permission requests: a task that may write may do everything, the others run in gemini's plan mode.
 */
export const gemini: ProgramKind = {
  name: 'gemini',
  needs: {
    npmPackage: '@google/gemini-cli',
    oldest: '0.36.0',
    helpArgs: ['--help'],
    required: [
      { name: '--output-format', values: ['stream-json'] },
      { name: '--approval-mode', values: ['plan', 'yolo'] },
      { name: '--model' },
      { name: '--resume' },
    ],
    // Versions without this option trust every folder.
    optional: [{ name: '--skip-trust' }],
  },
  resumes: true,
  takesModel: (model) => ['gemini', 'google', undefined].includes(parseModel(model).provider),
  invocation: ({ program, extra, options, input }) => ({
    argv: [
      program,
      '--output-format',
      'stream-json',
      ...(options.has('--skip-trust') ? ['--skip-trust'] : []),
      '--approval-mode',
      mayOnlyRead(input.task.agent_type) ? 'plan' : 'yolo',
      ...(input.task.model === null ? [] : ['--model', parseModel(input.task.model).model]),
      // Sessions belong to a folder. In another folder gemini reports that it finds none, and is started anew.
      ...(input.session === undefined ? [] : ['--resume', input.session]),
      ...extra,
    ],
    stdin: promptFor(input),
  }),
  read,
};
