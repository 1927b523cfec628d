// Reads the updates of an Agent Client Protocol program while it works: text, tools, usage. choices-5.
import { z } from 'zod';
import type { AgentReport, OutputChunk } from '../adapter/adapter.ts';
import { agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const status = z.string().nullish();
const content = z
  .array(
    z.union([
      z.looseObject({ type: z.literal('content'), content: text }).transform((part) => part.content.text),
      z.unknown().transform(() => ''),
    ]),
  )
  .nullish()
  .catch(null);
const input = z
  .looseObject({ command: z.string().optional(), path: z.string().optional(), file_path: z.string().optional() })
  .catch({});
const locations = z
  .array(z.looseObject({ path: z.string() }))
  .nullish()
  .catch(null);

const tool = { toolCallId: z.string(), status, content, rawInput: input.optional() };
const update = z.discriminatedUnion('sessionUpdate', [
  z.object({ sessionUpdate: z.literal('agent_message_chunk'), content: text }),
  z.object({
    sessionUpdate: z.literal('tool_call'),
    ...tool,
    title: z.string(),
    kind: z.string().nullish(),
    name: z.string().nullish(),
    locations,
  }),
  z.object({ sessionUpdate: z.literal('tool_call_update'), ...tool }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z.looseObject({ amount: z.number().min(0), currency: z.string() }).nullish(),
  }),
]);
const notification = z.looseObject({ update });

export interface AcpUpdates {
  /** Takes one `session/update`; unknown kinds are skipped. @returns output to show */
  take(params: unknown): OutputChunk[];
  /** Text received and not yet shown. */
  rest(): OutputChunk[];
  /** Starts recording: updates replayed from an older session come before this call and are ignored. */
  listen(): void;
}

/** The largest answer that is kept in full. */
const maxAnswerChars = 2_000_000;
const maxOpenTools = 1_000;

export function createAcpUpdates(report: AgentReport): AcpUpdates {
  const using = new Map<string, string>();
  let listening = false;
  let pending = '';
  let toolUsed = false;

  function flush(): OutputChunk[] {
    const chunks = agentText(pending);
    pending = '';
    return chunks;
  }

  function onText(chunk: string): OutputChunk[] {
    if (toolUsed) report.answer = '';
    toolUsed = false;
    report.answer = (report.answer + chunk).slice(0, maxAnswerChars);
    pending += chunk;
    const at = pending.lastIndexOf('\n') + 1;
    const lines = pending.slice(0, at);
    pending = pending.slice(at);
    return agentText(lines);
  }

  function onToolEnd({ toolCallId, status: how, content: chunks }: z.infer<z.ZodObject<typeof tool>>): OutputChunk[] {
    const name = using.get(toolCallId);
    if (name === undefined || (how !== 'completed' && how !== 'failed')) return [];
    using.delete(toolCallId);
    if (how === 'failed') countToolFailure(report, name);
    return name === 'execute' || how === 'failed' ? toolOutput((chunks ?? []).join('\n')) : [];
  }

  return {
    listen() {
      listening = true;
    },
    take(params) {
      const known = notification.safeParse(params).data?.update;
      if (known === undefined || !listening) return [];
      if (known.sessionUpdate === 'agent_message_chunk') return onText(known.content.text);
      if (known.sessionUpdate === 'usage_update') {
        // The cost of the whole session so far. Token counts in this update are the size of the context, not the usage.
        if (known.cost?.currency === 'USD') report.usage = { ...report.usage, cost_usd: known.cost.amount };
        return [];
      }
      const before = flush();
      if (known.sessionUpdate === 'tool_call_update') return [...before, ...onToolEnd(known)];
      toolUsed = true;
      const name = known.name ?? known.kind ?? 'tool';
      if (using.size < maxOpenTools) using.set(known.toolCallId, name);
      countToolCall(report, name);
      const { command, path, file_path: file } = known.rawInput ?? {};
      const subject = command ?? path ?? file ?? known.locations?.[0]?.path ?? known.title;
      return [...before, ...toolCall(name, subject), ...onToolEnd(known)];
    },
    rest: flush,
  };
}
