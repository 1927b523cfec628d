// The agent program `pi` (npm @earendil-works/pi-coding-agent): prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReport, OutputChunk } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { classifyFailure } from '../output/failure.ts';
import { slashedModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { addUsage } from '../output/usage.ts';

const texts = z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).catch([]);

const messageEnd = z.object({
  type: z.literal('message_end'),
  message: z.object({
    role: z.literal('assistant'),
    content: texts,
    stopReason: z.string(),
    errorMessage: z.string().optional(),
    usage: z
      .object({
        input: z.number(),
        output: z.number(),
        cacheRead: z.number().default(0),
        cacheWrite: z.number().default(0),
        cost: z.object({ total: z.number() }).catch({ total: 0 }),
      })
      .optional(),
  }),
});
const retrying = z.object({ type: z.literal('auto_retry_start'), errorMessage: z.string() });
const toolStart = z.object({
  type: z.literal('tool_execution_start'),
  toolName: z.string(),
  args: z.looseObject({ command: z.string().optional(), path: z.string().optional() }).catch({}),
});
const toolEnd = z.object({
  type: z.literal('tool_execution_end'),
  toolName: z.string(),
  isError: z.boolean().default(false),
  result: z.looseObject({ content: texts }).catch({ content: [] }),
});
const session = z.object({ type: z.literal('session'), id: z.string().min(1).max(200) });
const piEvent = z.discriminatedUnion('type', [session, messageEnd, retrying, toolStart, toolEnd]);

function joinTexts(content: z.infer<typeof texts>): string {
  return content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}

function onMessage({ message }: z.infer<typeof messageEnd>, report: AgentReport): OutputChunk[] {
  const answer = joinTexts(message.content);
  if (message.usage) {
    const { input, output, cacheRead, cacheWrite, cost } = message.usage;
    const spent = { input: input + cacheRead + cacheWrite, cached: cacheRead, output, cost: cost.total };
    report.usage = addUsage(report.usage, spent);
  }
  delete report.waitingForModel;
  delete report.failure;
  const failed = message.stopReason === 'error' || message.stopReason === 'aborted';
  report.finished = !failed && message.stopReason !== 'toolUse';
  if (failed) report.failure = classifyFailure('pi', message.errorMessage ?? message.stopReason);
  else if (answer !== '') report.answer = answer;
  return agentText(answer);
}

function handle(event: object, report: AgentReport): OutputChunk[] | undefined {
  const known = piEvent.safeParse(event).data;
  // Everything that pi prints is an event; most only repeat others.
  if (known === undefined) return 'type' in event ? [] : undefined;
  switch (known.type) {
    case 'session':
      report.session = known.id;
      return [];
    case 'message_end':
      return onMessage(known, report);
    case 'auto_retry_start':
      report.waitingForModel = known.errorMessage;
      return [{ stream: 'stderr', text: `pi retries: ${known.errorMessage}\n` }];
    case 'tool_execution_start':
      countToolCall(report, known.toolName);
      return toolCall(known.toolName, known.args.command ?? known.args.path);
    case 'tool_execution_end':
      if (known.isError) countToolFailure(report, known.toolName);
      return known.toolName === 'bash' || known.isError ? toolOutput(joinTexts(known.result.content)) : [];
    default:
      return unreachable(known);
  }
}

/**
 * Pi exits with 0 even when its model failed, so its events decide. Sessions stay in pi's own folder, by workspace;
 * each attempt continues a copy, in whatever folder it is.
 */
export const pi: ProgramKind = {
  name: 'pi',
  needs: {
    npmPackage: '@earendil-works/pi-coding-agent',
    oldest: '0.60.0',
    helpArgs: ['--help'],
    required: [
      { name: '--print' },
      { name: '--mode', values: ['json'] },
      { name: '--model' },
      { name: '--tools' },
      { name: '--fork' },
    ],
    optional: [],
  },
  resumes: true,
  takesModel: () => true,
  invocation: ({ program, extra, input }) => ({
    argv: [
      program,
      '--print',
      '--mode',
      'json',
      ...(input.task.model === null ? [] : ['--model', slashedModel(input.task.model)]),
      ...(mayOnlyRead(input.task.agent_type) ? ['--tools', 'read,grep,find,ls'] : []),
      ...(input.session === undefined ? [] : ['--fork', input.session]),
      ...extra,
    ],
    stdin: input.prompt,
  }),
  read: () => createEventReader(handle),
};
