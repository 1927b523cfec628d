// The wire formats of the scripted model: OpenAI chat completions and responses, Anthropic, Gemini.
import { z } from 'zod';

/** One tool that the agent offers in a request, with the names of its parameters. */
export interface OfferedTool {
  name: string;
  parameters: string[];
}

/** The model's answer: a tool call, or a final text. */
export type Reply = { call: string; args: Record<string, unknown> } | { text: string };

/** A model request in any format. `results` counts its tool results so far. */
export interface ModelRequest {
  tools: OfferedTool[];
  results: number;
  /** The text of the last one; empty where there is none. */
  lastResult: string;
  /** The whole request, so that a test can look for the prompt. */
  raw: string;
}

/** One format: reads requests, writes a reply as server-sent events. */
export interface ModelWireFormat {
  path: RegExp;
  read(body: string): ModelRequest;
  frames(reply: Reply, id: string): string[];
}

/** Tokens that each reply claims to have used. */
const usagePerReply = { input: 100, output: 10 } as const;

const named = z.looseObject({ name: z.string().optional() });
const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional();

/** The text of a tool result, in the form of each format. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = z.array(z.looseObject({ text: z.string().optional() })).safeParse(value);
  return parts.success ? parts.data.map((part) => part.text ?? '').join('') : JSON.stringify(value ?? '');
}

function resultsIn(values: unknown[]): Pick<ModelRequest, 'results' | 'lastResult'> {
  return { results: values.length, lastResult: textOf(values.at(-1)) };
}

function frame(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function offered(tools: { name?: string | undefined; schema: z.infer<typeof schema> }[]): OfferedTool[] {
  return tools.flatMap(({ name, schema: s }) =>
    name === undefined ? [] : [{ name, parameters: Object.keys(s?.properties ?? {}) }],
  );
}

const chatRequest = z.looseObject({
  tools: z.array(z.looseObject({ function: named.extend({ parameters: schema }).optional() })).default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
});

/** `POST /v1/chat/completions`, streaming: what opencode and pi speak here. */
export const chatCompletionsFormat: ModelWireFormat = {
  path: /\/chat\/completions$/,
  read(body) {
    const { tools, messages } = chatRequest.parse(JSON.parse(body));
    return {
      tools: offered(tools.map((tool) => ({ name: tool.function?.name, schema: tool.function?.parameters }))),
      ...resultsIn(messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))),
      raw: body,
    };
  },
  frames(reply, id) {
    const chunk = (delta: object, finish: string | null): string =>
      frame({
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm1',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const body =
      'text' in reply
        ? [chunk({ role: 'assistant', content: reply.text }, null), chunk({}, 'stop')]
        : [
            chunk(
              {
                role: 'assistant',
                tool_calls: [
                  {
                    index: 0,
                    id: `call_${id}`,
                    type: 'function',
                    function: { name: reply.call, arguments: JSON.stringify(reply.args) },
                  },
                ],
              },
              null,
            ),
            chunk({}, 'tool_calls'),
          ];
    const { input, output } = usagePerReply;
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    return [
      ...body,
      frame({ id, object: 'chat.completion.chunk', created: 1, model: 'm1', choices: [], usage }),
      'data: [DONE]\n\n',
    ];
  },
};

/** Tools of an MCP server stand in a namespace of that format. */
function namespaced(call: string): { name: string; namespace?: string } {
  const [, namespace, name] = /^(mcp__.+)__(.+)$/.exec(call) ?? [];
  return namespace === undefined || name === undefined ? { name: call } : { name, namespace };
}

const responsesRequest = z.looseObject({
  tools: z.array(named.extend({ parameters: schema })).default([]),
  input: z.array(z.looseObject({ type: z.string().optional(), output: z.unknown().optional() })),
});

/** `POST /v1/responses`, streaming: what codex speaks. */
export const responsesFormat: ModelWireFormat = {
  path: /\/responses$/,
  read(body) {
    const { tools, input } = responsesRequest.parse(JSON.parse(body));
    return {
      tools: offered(tools.map((tool) => ({ name: tool.name, schema: tool.parameters }))),
      ...resultsIn(input.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []))),
      raw: body,
    };
  },
  frames(reply, id) {
    const item =
      'text' in reply
        ? {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: `call_${id}`,
            ...namespaced(reply.call),
            arguments: JSON.stringify(reply.args),
          };
    const { input, output } = usagePerReply;
    const usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    return [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id, usage } },
    ].map((data) => frame(data, data.type));
  },
};

const messagesRequest = z.looseObject({
  tools: z.array(named.extend({ input_schema: schema })).default([]),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]) })),
});

/** `POST /v1/messages`, streaming: what claude speaks. */
export const messagesFormat: ModelWireFormat = {
  path: /\/v1\/messages$/,
  read(body) {
    const { tools, messages } = messagesRequest.parse(JSON.parse(body));
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      tools: offered(tools.map((tool) => ({ name: tool.name, schema: tool.input_schema }))),
      ...resultsIn(blocks.flatMap((block) => (block.type === 'tool_result' ? [block['content']] : []))),
      raw: body,
    };
  },
  frames(reply, id) {
    const { input, output } = usagePerReply;
    const block =
      'text' in reply
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}`, name: reply.call, input: {} };
    const delta =
      'text' in reply
        ? { type: 'text_delta', text: reply.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'm1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: input, output_tokens: 1 },
    };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'text' in reply ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: output },
      },
      { type: 'message_stop' },
    ].map((data) => frame(data, data.type));
  },
};

/** A function's answer stands in `output`, as text; anything else as JSON. */
const functionResponse = z.union([
  z.looseObject({ response: z.looseObject({ output: z.string() }) }).transform(({ response }) => response.output),
  z.unknown(),
]);
const geminiPart = z.looseObject({ functionResponse: functionResponse.optional() });
const geminiRequest = z.looseObject({
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(named.extend({ parametersJsonSchema: schema })).default([]) }))
    .default([]),
  contents: z.array(z.looseObject({ parts: z.array(geminiPart).default([]) })),
});

/** `POST /v1beta/models/m1:streamGenerateContent`: what gemini speaks. */
export const geminiFormat: ModelWireFormat = {
  path: /:streamGenerateContent$/,
  read(body) {
    const { tools, contents } = geminiRequest.parse(JSON.parse(body));
    const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
    return {
      tools: offered(declared.map((tool) => ({ name: tool.name, schema: tool.parametersJsonSchema }))),
      ...resultsIn(contents.flatMap(({ parts }) => parts).flatMap((part) => part.functionResponse ?? [])),
      raw: body,
    };
  },
  frames(reply, id) {
    const part = 'text' in reply ? { text: reply.text } : { functionCall: { id, name: reply.call, args: reply.args } };
    const { input, output } = usagePerReply;
    const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
    return [
      frame({
        candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
        usageMetadata,
      }),
    ];
  },
};
