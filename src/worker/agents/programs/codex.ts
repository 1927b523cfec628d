// The agent program `codex` (npm @openai/codex): `codex exec`, prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReader, AgentReport, AgentInput, OutputChunk } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { classifyFailure } from '../output/failure.ts';
import { parseModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { addUsage, usageSince } from '../output/usage.ts';

const status = z.string().optional();
const id = z.string().default('');
const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    id,
    command: z.string(),
    aggregated_output: z.string().default(''),
    exit_code: z.number().nullish(),
    status,
  }),
  z.object({
    type: z.literal('file_change'),
    id,
    changes: z.array(z.object({ path: z.string(), kind: z.string() })),
    status,
  }),
  z.object({ type: z.literal('mcp_tool_call'), id, server: z.string(), tool: z.string(), status }),
  z.object({ type: z.literal('web_search'), id, query: z.string(), status }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
type Item = z.infer<typeof item>;
type ToolItem = Exclude<Item, { type: 'agent_message' | 'error' }>;

const codexEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string().min(1).max(200) }),
  z.object({ type: z.literal('item.started'), item }),
  z.object({ type: z.literal('item.completed'), item }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: z.number(), cached_input_tokens: z.number().default(0), output_tokens: z.number() })
      .optional(),
  }),
]);
type CodexEvent = z.infer<typeof codexEvent>;

/** State of one attempt's reading beside its report. */
interface Reading {
  readonly resumed: Pick<AgentInput, 'session' | 'sessionUsage'> | undefined;
  /** Ids of the tool calls that were counted when they began. */
  readonly counted: Set<string>;
}

function isTool(one: Item): one is ToolItem {
  return one.type !== 'agent_message' && one.type !== 'error';
}

/** Most tool calls are reported twice, when they begin and when they end; some only at their end. */
function count(one: ToolItem, ended: boolean, report: AgentReport, { counted }: Reading): void {
  const name = one.type === 'mcp_tool_call' ? `${one.server}.${one.tool}` : one.type;
  if (!ended || !counted.delete(one.id)) countToolCall(report, name);
  if (!ended) counted.add(one.id);
  const exitCode = one.type === 'command_execution' ? (one.exit_code ?? 0) : 0;
  if (ended && (exitCode !== 0 || one.status === 'failed' || one.status === 'declined')) countToolFailure(report, name);
}

function onStarted(begun: Item, report: AgentReport, reading: Reading): OutputChunk[] {
  if (isTool(begun)) count(begun, false, report, reading);
  return begun.type === 'command_execution' ? toolCall('command', begun.command) : [];
}

function onCompleted(done: Item, report: AgentReport, reading: Reading): OutputChunk[] {
  if (isTool(done)) count(done, true, report, reading);
  switch (done.type) {
    case 'agent_message':
      report.answer = done.text;
      return agentText(done.text);
    case 'command_execution':
      return toolOutput(done.exit_code ? `${done.aggregated_output}[exit ${done.exit_code}]` : done.aggregated_output);
    case 'file_change':
      return done.changes.flatMap(({ path, kind }) => toolCall(kind, path));
    case 'mcp_tool_call':
      return toolCall(`${done.server} ${done.tool}`, '');
    case 'web_search':
      return toolCall('web search', done.query);
    case 'error':
      return [{ stream: 'stderr', text: `${done.message}\n` }];
    default:
      return unreachable(done);
  }
}

function onError(message: string, report: AgentReport): OutputChunk[] {
  // Without a network codex reports this and retries for ever; the attempt's model patience ends that.
  if (message.startsWith('Reconnecting')) report.waitingForModel = message;
  else report.failure = classifyFailure('codex', message);
  return [{ stream: 'stderr', text: `${message}\n` }];
}

/** Codex counts by session: the usage of earlier attempts is subtracted. */
function onTurnEnd(
  end: Extract<CodexEvent, { type: 'turn.completed' }>,
  report: AgentReport,
  { resumed }: Reading,
): void {
  report.finished = true;
  delete report.failure;
  if (end.usage === undefined) return;
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = end.usage;
  const total = addUsage(undefined, { input, cached, output, cost: 0 });
  report.sessionUsage = total;
  if (resumed?.session === undefined) report.usage = total;
  else if (resumed.sessionUsage !== undefined) report.usage = usageSince(total, resumed.sessionUsage);
}

function handle(event: object, report: AgentReport, reading: Reading): OutputChunk[] | undefined {
  const known = codexEvent.safeParse(event).data;
  if (known === undefined) return 'type' in event ? [] : undefined;
  if (known.type === 'error') return onError(known.message, report);
  delete report.waitingForModel;
  switch (known.type) {
    case 'thread.started':
      report.session = known.thread_id;
      return [];
    case 'item.started':
      return onStarted(known.item, report, reading);
    case 'item.completed':
      return onCompleted(known.item, report, reading);
    case 'turn.failed':
      report.failure = classifyFailure('codex', known.error.message);
      return [];
    case 'turn.completed':
      onTurnEnd(known, report, reading);
      return [];
    default:
      return unreachable(known);
  }
}

function read(input?: AgentInput): AgentReader {
  const reading: Reading = { resumed: input, counted: new Set() };
  return createEventReader((event, report) => handle(event, report, reading));
}

/** A provider other than codex's own must be named in its configuration. */
function modelOptions(model: string | null): string[] {
  if (model === null) return [];
  const { provider, model: name } = parseModel(model);
  const other = provider === undefined || provider === 'openai' ? [] : ['-c', `model_provider="${provider}"`];
  return ['--model', name, ...other];
}

/** Codex's own sandbox stays on, unless the operator's extra arguments choose another. */
function sandboxOptions(extra: string[], input: AgentInput): string[] {
  if (extra.some((word) => /^(-s|--sandbox|--dangerously-bypass-approvals-and-sandbox)/.test(word))) return [];
  return ['--sandbox', mayOnlyRead(input.task.agent_type) ? 'read-only' : 'workspace-write'];
}

export const codex: ProgramKind = {
  name: 'codex',
  needs: {
    npmPackage: '@openai/codex',
    oldest: '0.79.0',
    helpArgs: ['exec', '--help'],
    required: [
      { name: '--json' },
      { name: '--skip-git-repo-check' },
      { name: '--sandbox', values: ['read-only', 'workspace-write'] },
      { name: '--model' },
      { name: '-c' },
      { name: 'resume' },
    ],
    optional: [],
  },
  resumes: true,
  takesModel: () => true,
  invocation: ({ program, extra, input }) => ({
    argv: [
      program,
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...sandboxOptions(extra, input),
      ...modelOptions(input.task.model),
      ...extra,
      ...(input.session === undefined ? [] : ['resume', input.session]),
      '-',
    ],
    stdin: input.prompt,
    reader: read(input),
  }),
  read,
};
