// Calls the endpoint for one answer, and again while it is away or busy. choices-5.
import type { LanguageModel, ModelMessage } from 'ai';
import type { AgentReport, AttemptFailure, OutputChunk } from '../adapter/adapter.ts';
import { agentText } from '../output/event-reader.ts';
import { rateLimited, retryTime } from '../output/failure.ts';
import type { EndpointError } from './endpoint-fetch.ts';
import type { ModelSettings } from './model-settings.ts';
import { callModel, toEndpointError, type StepEnd } from './model-step.ts';
import type { ModelTool } from './tool.ts';

export interface EndpointCallOptions {
  readonly settings: Pick<ModelSettings, 'apiKey'>;
  readonly model: LanguageModel;
  /** Updated while the attempt runs; final when it has ended. */
  readonly report: AgentReport;
  readonly show: (chunks: OutputChunk[]) => Promise<void>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Names the setting that helps when a request is larger than the model's window. */
  readonly largeContextHint: string;
  readonly signal: AbortSignal;
}

export interface EndpointRequest {
  /** Another model than the attempt's. */
  readonly model?: LanguageModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Whether the answer is shown as it arrives. */
  readonly shows: boolean;
}

const firstRetryMs = 500;
const longestRetryMs = 20_000;
/** Most tries of a call with an unreadable answer. */
const malformedTries = 3;

function toAttemptFailure(
  { kind, message, retryAfterSeconds }: EndpointError,
  options: EndpointCallOptions,
): AttemptFailure {
  if (kind === 'limited') return rateLimited('model', message, retryTime(retryAfterSeconds, Date.now()));
  if (kind === 'refused') return rejection(message, options);
  if (kind === 'unreachable')
    return { code: 'model_unreachable', message: `The model endpoint cannot be reached: ${message}` };
  return { code: 'model_malformed', message: `The model endpoint sent an answer that cannot be read: ${message}` };
}

/** Shows text by whole lines, so that an event never holds half a word or half a key. */
function createLineWriter(options: EndpointCallOptions): {
  onText(delta: string): Promise<void>;
  end(): Promise<void>;
} {
  let rest = '';
  const clean = (text: string): OutputChunk[] => agentText(withoutKey(text, options.settings.apiKey));
  return {
    async onText(delta) {
      rest += delta;
      const at = rest.lastIndexOf('\n') + 1;
      if (at === 0) return;
      const lines = rest.slice(0, at);
      rest = rest.slice(at);
      await options.show(clean(lines));
    },
    async end() {
      await options.show(clean(rest));
      rest = '';
    },
  };
}

/** Text of an endpoint may quote the API key that was sent to it. */
function withoutKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey.length < 8 ? text : text.replaceAll(apiKey, '***');
}

/** The largest context differs from model to model; endpoints reveal it only by rejecting a request. */
const tooLarge =
  /context[ _-]?(length|window|size)|maximum context|exceeds? .{0,40}context|(prompt|input|request) is too (long|large)|too many tokens|^413 /i;

function rejection(message: string, { largeContextHint }: EndpointCallOptions): AttemptFailure {
  if (!tooLarge.test(message)) {
    return { code: 'model_refused', message: `The model endpoint rejected the request: ${message}` };
  }
  const text = `The request is larger than the model's window: ${message}. ${largeContextHint}`;
  return { code: 'context_too_large', message: text };
}

/**
 * Calls the model until it answers. An endpoint that is away or busy is retried; the attempt's model patience ends
 * that.
 * @throws the signal's reason; what `show` throws
 */
export async function callUntilAnswered(
  options: EndpointCallOptions,
  request: EndpointRequest,
): Promise<StepEnd | AttemptFailure> {
  const { report, show, signal } = options;
  const { shows, ...asked } = request;
  const model = request.model ?? options.model;
  for (let [tries, malformed, waitMs] = [1, 0, firstRetryMs]; ; tries += 1) {
    const lineWriter = createLineWriter(options);
    const onText = (text: string): Promise<void> => (shows ? lineWriter.onText(text) : Promise.resolve());
    try {
      const end = await callModel({ ...asked, model, signal, onText });
      await lineWriter.end();
      delete report.waitingForModel;
      return end;
    } catch (error) {
      signal.throwIfAborted();
      await lineWriter.end();
      const found = toEndpointError(error);
      const failure = toAttemptFailure(found, options);
      failure.message = withoutKey(failure.message, options.settings.apiKey).slice(0, 4_000);
      if (found.kind === 'malformed') malformed += 1;
      if (found.kind === 'refused' || found.kind === 'limited' || malformed >= malformedTries) return failure;
      report.waitingForModel = failure.message;
      await show([{ stream: 'stderr', text: `${failure.message} (tried ${tries} times)\n` }]);
      await options.wait(waitMs, signal);
      waitMs = Math.min(longestRetryMs, waitMs * 2);
    }
  }
}
