// The agent program `opencode` (npm opencode-ai): `opencode run`, prompt on stdin, JSON events on stdout.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReport, Said, SessionMove } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, spoken, toolCall, toolOutput } from '../output/event-reader.ts';
import { failureOf } from '../output/failure.ts';
import { parseObject } from '../output/json-lines.ts';
import { slashedModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countCall, countFailure } from '../output/tool-tally.ts';
import { addUsage } from '../output/usage.ts';

const tokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number().default(0),
  cache: z.object({ read: z.number(), write: z.number() }).catch({ read: 0, write: 0 }),
});
const toolState = z.looseObject({
  status: z.string(),
  title: z.string().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  /** Of its shell, the exit code. */
  metadata: z.looseObject({ exit: z.number().nullish() }).catch({}).optional(),
});
/** Every event names the session. */
const session = z.object({ sessionID: z.string().min(1).max(200) });
const opencodeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start') }),
  z.object({ type: z.literal('text'), part: z.looseObject({ text: z.string() }) }),
  z.object({ type: z.literal('tool_use'), part: z.looseObject({ tool: z.string(), state: toolState }) }),
  z.object({
    type: z.literal('step_finish'),
    part: z.looseObject({ reason: z.string(), cost: z.number().default(0), tokens: tokens.optional() }),
  }),
  z.object({
    type: z.literal('error'),
    error: z.looseObject({ name: z.string(), data: z.looseObject({ message: z.string().optional() }).optional() }),
  }),
]);

/** It tells of a tool when that has ended. */
function onTool(tool: string, state: z.infer<typeof toolState>, report: AgentReport): Said[] {
  const { status, title, output, error, metadata } = state;
  const call = toolCall(tool, title);
  countCall(report, tool);
  if (status === 'error' || (metadata?.exit ?? 0) !== 0) countFailure(report, tool);
  if (status === 'error') return [...call, { stream: 'stderr', text: `${error ?? 'the tool failed'}\n` }];
  return tool === 'bash' ? [...call, ...toolOutput(output ?? '')] : call;
}

function onStepEnd(part: { reason: string; cost: number; tokens?: z.infer<typeof tokens> }, report: AgentReport): void {
  report.finished = part.reason !== 'tool-calls';
  if (report.finished) delete report.failure;
  if (!part.tokens) return;
  const { input, output, reasoning, cache } = part.tokens;
  report.usage = addUsage(report.usage, {
    input: input + cache.read + cache.write,
    cached: cache.read,
    output: output + reasoning,
    cost: part.cost,
  });
}

function handle(event: object, report: AgentReport): Said[] | undefined {
  const known = opencodeEvent.safeParse(event).data;
  const named = session.safeParse(event).data;
  if (named !== undefined) report.session = named.sessionID;
  if (known === undefined) return 'type' in event ? [] : undefined;
  switch (known.type) {
    case 'step_start':
      report.finished = false;
      report.answer = '';
      return [];
    case 'text':
      report.answer = report.answer === '' ? known.part.text : `${report.answer}\n\n${known.part.text}`;
      return spoken(known.part.text);
    case 'tool_use':
      return onTool(known.part.tool, known.part.state, report);
    case 'step_finish':
      onStepEnd(known.part, report);
      return [];
    case 'error': {
      const words = known.error.data?.message ?? known.error.name;
      report.failure = failureOf('opencode', words);
      return [{ stream: 'stderr', text: `${words}\n` }];
    }
    default:
      return unreachable(known);
  }
}

const exported = z.looseObject({ info: z.looseObject({ directory: z.string() }) });

/** A session works in the folder that it belongs to, wherever opencode is started; to import one moves it here. */
async function bring(program: string, { session: id, path, folder, ask }: SessionMove): Promise<boolean> {
  const text = await ask([program, 'export', id]);
  const found = exported.safeParse(text && parseObject(text)).data;
  if (text === undefined || found === undefined) return false;
  if (found.info.directory === path) return true;
  const file = join(folder, 'session.json');
  await writeFile(file, text, { mode: 0o600 });
  return (await ask([program, 'import', file])) !== undefined;
}

/** What its own configuration wants to be asked about is refused: there is nobody to ask. */
export const opencode: ProgramKind = {
  name: 'opencode',
  needs: {
    npmPackage: 'opencode-ai',
    oldest: '1.1.11',
    helpArgs: ['run', '--help'],
    required: [{ name: '--format', values: ['json'] }, { name: '--model' }, { name: '--agent' }, { name: '--session' }],
    optional: [],
  },
  resumes: true,
  bring,
  takesModel: () => true,
  invocation: ({ program, extra, run }) => ({
    argv: [
      program,
      'run',
      '--format',
      'json',
      ...(run.task.model === null ? [] : ['--model', slashedModel(run.task.model)]),
      ...(mayOnlyRead(run.task.agent_type) ? ['--agent', 'plan'] : []),
      ...(run.session === undefined ? [] : ['--session', run.session]),
      ...extra,
    ],
    stdin: run.prompt,
    // Its own plan agent may still run commands, and with them write.
    ...(mayOnlyRead(run.task.agent_type) && {
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'deny' }) },
    }),
  }),
  read: () => createEventReader(handle),
};
