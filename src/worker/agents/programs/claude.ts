// The agent program `claude` (npm @anthropic-ai/claude-code): print mode, prompt on stdin, JSON events on stdout.
import { z } from 'zod';
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { AgentReport, AgentInput, OutputChunk } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { createEventReader, agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { classifyFailure, rateLimited, retryTime } from '../output/failure.ts';
import { parseModel } from '../adapter/model-name.ts';
import type { ProgramKind } from './program.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { addUsage } from '../output/usage.ts';

const toolInput = z
  .looseObject({ command: z.string().optional(), file_path: z.string().optional(), description: z.string().optional() })
  .catch({});
const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string().optional(), name: z.string(), input: toolInput }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string().optional(),
    is_error: z.boolean().default(false),
    content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).default(''),
  }),
  z.looseObject({ type: z.string() }).transform(() => undefined),
]);
const message = z.object({ content: z.union([z.string(), z.array(block)]) });

const result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  total_cost_usd: z.number().default(0),
  usage: z
    .looseObject({
      input_tokens: z.number().default(0),
      cache_creation_input_tokens: z.number().default(0),
      cache_read_input_tokens: z.number().default(0),
      output_tokens: z.number().default(0),
    })
    .optional(),
});
/** Every event carries the session id. */
const session = z.object({ session_id: z.string().min(1).max(200) });
const claudeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('assistant'), message }),
  z.object({ type: z.literal('user'), message }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    error_status: z.number().nullish(),
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.looseObject({
      status: z.string(),
      /** Seconds since 1970. */
      resetsAt: z.number().optional(),
      rateLimitType: z.string().optional(),
    }),
  }),
  result,
]);

/** Names of the tools whose results are outstanding, by the id of the call. */
type Using = Map<string, string>;

/** State of one attempt's reading beside its report. */
interface Reading {
  readonly using: Using;
  /** The limit that the provider has reported; undefined: requests are allowed. */
  limit: { readonly type: string; readonly retryAt: string | undefined } | undefined;
}

function renderBlocks(content: z.infer<typeof message>['content'], report: AgentReport, using: Using): OutputChunk[] {
  if (typeof content === 'string') return agentText(content);
  return content.flatMap((part) => {
    if (part === undefined) return [];
    if (part.type === 'text') return agentText(part.text);
    if (part.type === 'tool_use') {
      countToolCall(report, part.name);
      if (part.id !== undefined) using.set(part.id, part.name);
      return toolCall(part.name, part.input.command ?? part.input.file_path ?? part.input.description);
    }
    const { content: toolContent, tool_use_id: id = '' } = part;
    const name = using.get(id);
    using.delete(id);
    if (part.is_error && name !== undefined) countToolFailure(report, name);
    return toolOutput(
      typeof toolContent === 'string' ? toolContent : toolContent.map(({ text }) => text ?? '').join(''),
    );
  });
}

function onResult(end: z.infer<typeof result>, report: AgentReport, { limit }: Reading): OutputChunk[] {
  if (end.usage) {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens: cached, output_tokens } = end.usage;
    const input = input_tokens + cache_creation_input_tokens + cached;
    report.usage = addUsage(undefined, { input, cached, output: output_tokens, cost: end.total_cost_usd });
  }
  report.finished = !end.is_error;
  delete report.failure;
  if (!end.is_error) report.answer = end.result ?? '';
  else {
    const reason = end.errors?.join('; ') || end.result || end.subtype;
    report.failure =
      limit === undefined
        ? classifyFailure('claude', reason)
        : rateLimited('claude', `${reason} (${limit.type})`, limit.retryAt);
  }
  return [];
}

function handle(event: object, report: AgentReport, reading: Reading): OutputChunk[] | undefined {
  const known = claudeEvent.safeParse(event).data;
  const named = session.safeParse(event).data;
  if (named !== undefined) report.session = named.session_id;
  if (known === undefined) return 'type' in event ? [] : undefined;
  delete report.waitingForModel;
  switch (known.type) {
    case 'assistant':
    case 'user':
      return renderBlocks(known.message.content, report, reading.using);
    case 'system': {
      const reason = `${known.error ?? 'no answer'} ${known.error_status ?? ''}`.trim();
      report.waitingForModel = reason;
      return [{ stream: 'stderr', text: `claude retries: ${reason}\n` }];
    }
    case 'rate_limit_event': {
      const { status, resetsAt, rateLimitType: type = 'limit' } = known.rate_limit_info;
      const now = Date.now();
      const retryAt = resetsAt === undefined ? undefined : retryTime(Math.max(0, resetsAt - now / 1000), now);
      reading.limit = status === 'rejected' ? { type, retryAt } : undefined;
      return [];
    }
    case 'result':
      return onResult(known, report, reading);
    default:
      return unreachable(known);
  }
}

/**
 * The permissions given in advance, since nobody can answer. Allowing tools by name works for root too, where
 * claude refuses to skip its permission checks.
 */
function permissionOptions(input: AgentInput): string[] {
  if (mayOnlyRead(input.task.agent_type)) {
    return ['--permission-mode', 'dontAsk', '--tools=Read,Glob,Grep', '--allowedTools=Read,Glob,Grep'];
  }
  return ['--permission-mode', 'acceptEdits', '--allowedTools=Bash,WebFetch,WebSearch'];
}

export const claude: ProgramKind = {
  name: 'claude',
  needs: {
    npmPackage: '@anthropic-ai/claude-code',
    oldest: '2.0.60',
    helpArgs: ['--help'],
    required: [
      { name: '--print' },
      { name: '--output-format', values: ['stream-json'] },
      { name: '--verbose' },
      { name: '--permission-mode', values: ['acceptEdits', 'dontAsk'] },
      { name: '--tools' },
      { name: '--allowedTools' },
      { name: '--model' },
      { name: '--resume' },
    ],
    // Rejects everything else that would need a permission, since nobody can answer.
    optional: [{ name: '--permission-prompts', values: ['none'] }],
  },
  resumes: true,
  takesModel: (model) => ['anthropic', 'claude', undefined].includes(parseModel(model).provider),
  invocation: ({ program, extra, options, input }) => ({
    argv: [
      program,
      '--print',
      '--output-format',
      'stream-json',
      '--verbose',
      ...(options.has('--permission-prompts') ? ['--permission-prompts', 'none'] : []),
      ...permissionOptions(input),
      ...(input.task.model === null ? [] : ['--model', parseModel(input.task.model).model]),
      ...(input.session === undefined ? [] : ['--resume', input.session]),
      ...extra,
    ],
    stdin: input.prompt,
  }),
  read() {
    const reading: Reading = { using: new Map(), limit: undefined };
    return createEventReader((event, report) => handle(event, report, reading));
  },
};
