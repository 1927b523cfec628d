// The agent program `codex` (npm @openai/codex): `codex exec`, prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../lib/unreachable.ts';
import type { AgentReport, AgentRun, Said } from './adapter.ts';
import { mayOnlyRead } from './agent-mode.ts';
import { createEventReader, spoken, toolCall, toolOutput } from './event-reader.ts';
import { failureOf } from './failure.ts';
import { parseModel } from './model-name.ts';
import type { ProgramKind } from './program.ts';
import { addUsage } from './usage.ts';

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    command: z.string(),
    aggregated_output: z.string().default(''),
    exit_code: z.number().nullish(),
  }),
  z.object({ type: z.literal('file_change'), changes: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  z.object({ type: z.literal('mcp_tool_call'), server: z.string(), tool: z.string() }),
  z.object({ type: z.literal('web_search'), query: z.string() }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
type Item = z.infer<typeof item>;

const codexEvent = z.discriminatedUnion('type', [
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

function onStarted(begun: Item): Said[] {
  return begun.type === 'command_execution' ? toolCall('command', begun.command) : [];
}

function onCompleted(done: Item, report: AgentReport): Said[] {
  switch (done.type) {
    case 'agent_message':
      report.answer = done.text;
      return spoken(done.text);
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

function onError(message: string, report: AgentReport): Said[] {
  // Without a network it says so and waits, for ever if need be: the run's patience ends that.
  if (message.startsWith('Reconnecting')) report.waitingForModel = message;
  else report.failure = failureOf('codex', message);
  return [{ stream: 'stderr', text: `${message}\n` }];
}

function handle(event: object, report: AgentReport): Said[] | undefined {
  const known = codexEvent.safeParse(event).data;
  if (known === undefined) return 'type' in event ? [] : undefined;
  if (known.type === 'error') return onError(known.message, report);
  delete report.waitingForModel;
  switch (known.type) {
    case 'item.started':
      return onStarted(known.item);
    case 'item.completed':
      return onCompleted(known.item, report);
    case 'turn.failed':
      report.failure = failureOf('codex', known.error.message);
      return [];
    case 'turn.completed':
      report.finished = true;
      delete report.failure;
      if (known.usage) {
        const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = known.usage;
        report.usage = addUsage(report.usage, { input, cached, output, cost: 0 });
      }
      return [];
    default:
      return unreachable(known);
  }
}

/** A provider other than its own is one that codex's configuration names. */
function modelOptions(model: string | null): string[] {
  if (model === null) return [];
  const { provider, model: name } = parseModel(model);
  const other = provider === undefined || provider === 'openai' ? [] : ['-c', `model_provider="${provider}"`];
  return ['--model', name, ...other];
}

/** Its own sandbox stays on, unless the operator's further arguments choose another. */
function sandboxOptions(extra: string[], run: AgentRun): string[] {
  if (extra.some((word) => /^(-s|--sandbox|--dangerously-bypass-approvals-and-sandbox)/.test(word))) return [];
  return ['--sandbox', mayOnlyRead(run.task.agent_type) ? 'read-only' : 'workspace-write'];
}

export const codex: ProgramKind = {
  name: 'codex',
  takesModel: () => true,
  invocation: ({ program, extra, run }) => ({
    argv: [
      program,
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...sandboxOptions(extra, run),
      ...modelOptions(run.task.model),
      ...extra,
      '-',
    ],
    stdin: run.prompt,
  }),
  read: () => createEventReader(handle),
};
