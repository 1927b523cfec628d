// One model call: streamed text, tool calls, tokens used.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, streamText, tool, type LanguageModel, type ModelMessage, type ToolSet } from 'ai';
import type { ModelCallUsage } from '../output/usage.ts';
import { createEndpointFetch, EndpointError } from './endpoint-fetch.ts';
import type { ModelSettings } from './model-settings.ts';
import type { ModelTool } from './tool.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface StepEnd {
  text: string;
  reasoning: string;
  readonly calls: ToolCall[];
  usage: ModelCallUsage;
  /** The answer was cut off by a limit of the model. */
  cut: boolean;
}

export interface StepOptions {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  /** Gets the text as it arrives. */
  readonly onText: (delta: string) => Promise<void>;
}

const idleMs = 90_000;
const answerMs = 15 * 60_000;
const maxAnswerBytes = 32_000_000;
const maxTextChars = 1_000_000;
const maxCalls = 64;
/** A limit that lasts longer ends the attempt, so that its slot is free meanwhile. */
const longestLimitSeconds = 60;

/** @param name the endpoint's name of the model */
export function openModel(settings: ModelSettings, name: string, given: typeof fetch): LanguageModel {
  const limits = { idleMs, answerMs, maxAnswerBytes };
  const provider = createOpenAICompatible({
    name: 'endpoint',
    baseURL: settings.endpoint.replace(/\/+$/, ''),
    ...(settings.apiKey !== undefined && { apiKey: settings.apiKey }),
    fetch: createEndpointFetch({ fetch: given, endpoint: settings.endpoint, ...limits }),
    includeUsage: true,
  });
  return provider.chatModel(name);
}

function toToolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: input })]),
  );
}

/** Statuses that may pass: a timeout, a conflict, too many requests, and server errors. */
function isTransientStatus(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || status >= 500;
}

/** Classifies a failed call. An answer that cannot be read is `malformed`; a missing answer is `unreachable`. */
export function toEndpointError(error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  if (error instanceof Error && error.cause instanceof EndpointError) return error.cause;
  const reason = error instanceof Error ? error.message : JSON.stringify(error);
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const { statusCode: status } = error;
    const retryAfterSeconds = Number(error.responseHeaders?.['retry-after'] ?? 0);
    if (status === 429 && retryAfterSeconds > longestLimitSeconds) {
      return new EndpointError('limited', `${status} ${reason}`, { cause: error, retryAfterSeconds });
    }
    if (status < 300) return new EndpointError('malformed', reason, { cause: error });
    return new EndpointError(isTransientStatus(status) ? 'unreachable' : 'refused', `${status} ${reason}`, {
      cause: error,
    });
  }
  // `fetch` puts the real reason into the cause of its error.
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const isNetwork = APICallError.isInstance(error) || error instanceof TypeError || /terminated|socket/.test(reason);
  return new EndpointError(isNetwork ? 'unreachable' : 'malformed', `${reason}${cause}`, { cause: error });
}

function toModelCallUsage(usage: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails?: { cacheReadTokens: number | undefined };
}): ModelCallUsage {
  const { inputTokens: input = 0, outputTokens: output = 0, inputTokenDetails: details } = usage;
  return { input, output, cached: details?.cacheReadTokens ?? 0, cost: 0 };
}

/**
 * Calls the model once.
 * @throws EndpointError; the signal's reason when it aborts
 */
export async function callModel({ onText, signal, ...options }: StepOptions): Promise<StepEnd> {
  const end: StepEnd = { text: '', reasoning: '', calls: [], usage: toModelCallUsage(noUsage), cut: false };
  let finish: string | undefined;
  try {
    const { fullStream } = streamText({
      model: options.model,
      instructions: options.instructions,
      messages: options.messages,
      tools: toToolSet(options.tools),
      abortSignal: signal,
      maxRetries: 0,
      // Errors arrive in the stream too; by default the SDK would print them.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') {
        end.text += part.text;
        if (end.text.length > maxTextChars) throw new EndpointError('malformed', 'the answer is incomplete');
        await onText(part.text);
      } else if (part.type === 'reasoning-delta') {
        end.reasoning = (end.reasoning + part.text).slice(0, maxTextChars);
      } else if (part.type === 'tool-call' && end.calls.length < maxCalls) {
        end.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      } else if (part.type === 'finish') {
        finish = part.finishReason;
        end.usage = toModelCallUsage(part.totalUsage);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toEndpointError(error);
  }
  signal.throwIfAborted();
  end.cut = finish === 'length' || finish === 'content-filter';
  const isEmpty = end.text.trim() === '' && end.calls.length === 0;
  if (isEmpty && finish !== 'stop') {
    throw new EndpointError('malformed', `the answer has no readable content (finish reason: ${finish ?? 'none'})`);
  }
  return end;
}

const noUsage = { inputTokens: undefined, outputTokens: undefined };
