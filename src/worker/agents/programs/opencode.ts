// The agent program `opencode` (npm opencode-ai): `opencode run`, prompt on stdin, JSON events on stdout.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReport, OutputChunk, SessionImport } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { classifyFailure } from '../output/failure.ts';
import { parseObject } from '../output/json-lines.ts';
import { slashedModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
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
  /** The exit code, for its shell tool. */
  metadata: z.looseObject({ exit: z.number().nullish() }).catch({}).optional(),
});
/** Every event carries the session id. */
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

/** Opencode reports a tool call when it has ended. */
function onTool(tool: string, state: z.infer<typeof toolState>, report: AgentReport): OutputChunk[] {
  const { status, title, output, error, metadata } = state;
  const call = toolCall(tool, title);
  countToolCall(report, tool);
  if (status === 'error' || (metadata?.exit ?? 0) !== 0) countToolFailure(report, tool);
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

function handle(event: object, report: AgentReport): OutputChunk[] | undefined {
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
      return agentText(known.part.text);
    case 'tool_use':
      return onTool(known.part.tool, known.part.state, report);
    case 'step_finish':
      onStepEnd(known.part, report);
      return [];
    case 'error': {
      const reason = known.error.data?.message ?? known.error.name;
      report.failure = classifyFailure('opencode', reason);
      return [{ stream: 'stderr', text: `${reason}\n` }];
    }
    default:
      return unreachable(known);
  }
}

const exported = z.looseObject({ info: z.looseObject({ directory: z.string() }) });

/**
 * A session works in the folder that it belongs to, wherever opencode is started; importing it moves it to this one.
 */
async function importSession(
  program: string,
  { session: id, path, folder, runProgram }: SessionImport,
): Promise<boolean> {
  const text = await runProgram([program, 'export', id]);
  const found = exported.safeParse(text && parseObject(text)).data;
  if (text === undefined || found === undefined) return false;
  if (found.info.directory === path) return true;
  const file = join(folder, 'session.json');
  await writeFile(file, text, { mode: 0o600 });
  return (await runProgram([program, 'import', file])) !== undefined;
}

/** Permissions that its own configuration asks for are rejected, since nobody can answer. */
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
  importSession,
  takesModel: () => true,
  invocation: ({ program, extra, input }) => ({
    argv: [
      program,
      'run',
      '--format',
      'json',
      ...(input.task.model === null ? [] : ['--model', slashedModel(input.task.model)]),
      ...(mayOnlyRead(input.task.agent_type) ? ['--agent', 'plan'] : []),
      ...(input.session === undefined ? [] : ['--session', input.session]),
      ...extra,
    ],
    stdin: input.prompt,
    // Its own plan agent may still run commands, and those can write.
    ...(mayOnlyRead(input.task.agent_type) && {
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'deny' }) },
    }),
  }),
  read: () => createEventReader(handle),
};
