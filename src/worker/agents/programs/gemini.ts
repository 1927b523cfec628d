// The agent program `gemini` (npm @google/gemini-cli): headless, prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReader, AgentReport, AgentRun, Said } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, spoken, toolCall, toolOutput } from '../output/event-reader.ts';
import { failureOf } from '../output/failure.ts';
import { parseModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countCall, countFailure } from '../output/tool-tally.ts';
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

/** What it has said since it last used a tool comes in pieces; whole lines of it are shown. */
interface Telling {
  rest: string;
  /** Whether a tool was used since its last words: new words begin a new answer. */
  turned: boolean;
  /** Names of the tools whose results are still to come. */
  using: Map<string, string>;
}

function onWords(text: string, report: AgentReport, telling: Telling): Said[] {
  if (telling.turned) report.answer = '';
  telling.turned = false;
  report.answer += text;
  telling.rest += text;
  const at = telling.rest.lastIndexOf('\n') + 1;
  const lines = telling.rest.slice(0, at);
  telling.rest = telling.rest.slice(at);
  return spoken(lines);
}

function finishWords(telling: Telling): Said[] {
  const said = spoken(telling.rest);
  telling.rest = '';
  return said;
}

function onResult(end: Extract<GeminiEvent, { type: 'result' }>, report: AgentReport): Said[] {
  if (end.stats) {
    const { input_tokens: input, output_tokens: output, cached } = end.stats;
    report.usage = addUsage(undefined, { input, cached, output, cost: 0 });
  }
  report.finished = end.status === 'success';
  if (report.finished) delete report.failure;
  else report.failure ??= failureOf('gemini', end.error?.message ?? end.status);
  return [];
}

function handle(event: object, report: AgentReport, telling: Telling): Said[] | undefined {
  const known = geminiEvent.safeParse(event).data;
  if (known === undefined) return 'type' in event ? [] : undefined;
  if (known.type === 'message') return known.role === 'assistant' ? onWords(known.content, report, telling) : [];
  const before = finishWords(telling);
  switch (known.type) {
    case 'init':
      report.session = known.session_id;
      return before;
    case 'tool_use': {
      const { command, file_path: file, pattern } = known.parameters;
      telling.turned = true;
      telling.using.set(known.tool_id, known.tool_name);
      countCall(report, known.tool_name);
      return [...before, ...toolCall(known.tool_name, command ?? file ?? pattern)];
    }
    case 'tool_result': {
      const name = telling.using.get(known.tool_id) ?? '';
      telling.using.delete(known.tool_id);
      if (known.status !== 'success' && name !== '') countFailure(report, name);
      const said = name === 'run_shell_command' ? toolOutput(known.output) : [];
      return [...before, ...said, ...toolOutput(known.error?.message ?? '')];
    }
    case 'error':
      if (known.severity === 'error') report.failure = failureOf('gemini', known.message);
      return [...before, { stream: 'stderr', text: `${known.message}\n` }];
    case 'result':
      return [...before, ...onResult(known, report)];
    default:
      return unreachable(known);
  }
}

/** It tries a model that is away for minutes, and says so on stderr alone. */
const retrying = /^Attempt \d+ failed[^\n]*|^[^\n]*Retrying[^\n]*/im;

function read(): AgentReader {
  const telling: Telling = { rest: '', turned: false, using: new Map() };
  const reader = createEventReader((event, report) => {
    delete report.waitingForModel;
    return handle(event, report, telling);
  });
  return {
    ...reader,
    stderr(text) {
      const words = retrying.exec(text)?.[0];
      if (words !== undefined) reader.report().waitingForModel = words.slice(0, 500);
      return reader.stderr(text);
    },
    end: () => [...reader.end(), ...finishWords(telling)],
  };
}

/** A prompt that begins like one of its own commands would be taken for it. */
function promptFor({ prompt }: AgentRun): string {
  return /^\s*[/?]/.test(prompt) ? `The task:\n${prompt}` : prompt;
}

/** Nobody is there to be asked: everything is allowed for a task that may write, and its own plan mode for the others. */
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
    // Versions without it trust every folder.
    optional: [{ name: '--skip-trust' }],
  },
  resumes: true,
  takesModel: (model) => ['gemini', 'google', undefined].includes(parseModel(model).provider),
  invocation: ({ program, extra, options, run }) => ({
    argv: [
      program,
      '--output-format',
      'stream-json',
      ...(options.has('--skip-trust') ? ['--skip-trust'] : []),
      '--approval-mode',
      mayOnlyRead(run.task.agent_type) ? 'plan' : 'yolo',
      ...(run.task.model === null ? [] : ['--model', parseModel(run.task.model).model]),
      // Sessions belong to a folder: in another one it finds none, says so, and is begun anew.
      ...(run.session === undefined ? [] : ['--resume', run.session]),
      ...extra,
    ],
    stdin: promptFor(run),
  }),
  read,
};
