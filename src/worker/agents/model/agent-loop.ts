// The loop of the built-in agent: ask the model, run the tools that it calls, return their results, until it is done.
// choices-5.
import type { LanguageModel, ModelMessage } from 'ai';
import { PathRefused } from '../../sandboxed-fs/path-refused.ts';
import type { AgentReport, AttemptFailure, OutputChunk } from '../adapter/adapter.ts';
import { agentText, toolCall, toolOutput } from '../output/event-reader.ts';
import type { Inbox } from '../adapter/inbox.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { rateLimited, retryTime } from '../output/failure.ts';
import { addUsage } from '../output/usage.ts';
import type { EndpointError } from './endpoint-fetch.ts';
import type { ModelSettings } from './model-settings.ts';
import { callModel, toEndpointError, type StepEnd, type ToolCall } from './model-step.ts';
import type { ModelTool, ModelToolResult, ToolContext } from './tool.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

export interface AgentLoopOptions {
  readonly settings: Pick<ModelSettings, 'apiKey' | 'maxSteps' | 'maxTokens'>;
  readonly model: LanguageModel;
  readonly prompt: string;
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly toolContext: ToolContext;
  /** Updated while the attempt runs; final when it has ended. */
  readonly report: AgentReport;
  readonly show: (chunks: OutputChunk[]) => Promise<void>;
  readonly inbox: Inbox;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const firstRetryMs = 500;
const longestRetryMs = 20_000;
/** How often a call with an unreadable answer is tried. */
const malformedTries = 3;

function toAttemptFailure({ kind, message, retryAfterSeconds }: EndpointError): AttemptFailure {
  if (kind === 'limited') return rateLimited('model', message, retryTime(retryAfterSeconds, Date.now()));
  if (kind === 'refused')
    return { code: 'model_refused', message: `The model endpoint rejected the request: ${message}` };
  if (kind === 'unreachable')
    return { code: 'model_unreachable', message: `The model endpoint cannot be reached: ${message}` };
  return { code: 'model_malformed', message: `The model endpoint sent an answer that cannot be read: ${message}` };
}

/** Shows text by whole lines, so that an event never holds half a word or half a key. */
function createLineWriter(options: AgentLoopOptions): { onText(delta: string): Promise<void>; end(): Promise<void> } {
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

/**
 * Calls the model until it answers. An endpoint that is away or busy is retried; the attempt's model patience ends
 * that.
 */
async function callUntilAnswered(
  options: AgentLoopOptions,
  messages: ModelMessage[],
): Promise<StepEnd | AttemptFailure> {
  const { model, instructions, tools, report, toolContext, show } = options;
  for (let [tries, malformed, waitMs] = [1, 0, firstRetryMs]; ; tries += 1) {
    const lineWriter = createLineWriter(options);
    try {
      const { signal } = toolContext;
      const end = await callModel({
        model,
        instructions,
        messages,
        tools,
        signal,
        onText: (text) => lineWriter.onText(text),
      });
      await lineWriter.end();
      delete report.waitingForModel;
      return end;
    } catch (error) {
      toolContext.signal.throwIfAborted();
      await lineWriter.end();
      const found = toEndpointError(error);
      const failure = toAttemptFailure(found);
      failure.message = withoutKey(failure.message, options.settings.apiKey).slice(0, 4_000);
      if (found.kind === 'malformed') malformed += 1;
      if (found.kind === 'refused' || found.kind === 'limited' || malformed >= malformedTries) return failure;
      report.waitingForModel = failure.message;
      await show([{ stream: 'stderr', text: `${failure.message} (tried ${tries} times)\n` }]);
      await options.wait(waitMs, toolContext.signal);
      waitMs = Math.min(longestRetryMs, waitMs * 2);
    }
  }
}

async function runTool(call: ToolCall, { tools, toolContext }: AgentLoopOptions): Promise<ModelToolResult> {
  const found = tools.find(({ name }) => name === call.name);
  if (found === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    return { ok: false, text: `Unknown tool ${call.name.slice(0, 100)}. Available tools: ${names}.` };
  }
  try {
    return await found.run(call.input, toolContext);
  } catch (error) {
    toolContext.signal.throwIfAborted();
    if (error instanceof PathRefused) return { ok: false, text: error.message };
    // The model learns of system errors (no space, no permission); any other error is a bug.
    if (errorCode(error) === undefined) throw error;
    return { ok: false, text: `System error: ${errorCode(error)}` };
  }
}

/**
 * The model's answer as the next call repeats it. Tool input that is not an object is left out: endpoints reject it.
 */
function answerMessage({ text, reasoning, calls }: StepEnd): ModelMessage {
  return {
    role: 'assistant',
    content: [
      ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: typeof input === 'object' ? input : {},
      })),
    ],
  };
}

function resultMessage({ id, name }: ToolCall, { ok, text }: ModelToolResult): ModelMessage {
  const output = { type: ok ? ('text' as const) : ('error-text' as const), value: text };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] };
}

/** Runs the called tools in order. @returns the question that ends the attempt, if the model asked one */
async function runTools(
  options: AgentLoopOptions,
  calls: ToolCall[],
  messages: ModelMessage[],
): Promise<string | undefined> {
  for (const call of calls) {
    const subject = options.tools.find(({ name }) => name === call.name)?.subject(call.input) ?? '';
    countToolCall(options.report, call.name);
    await options.show(toolCall(call.name, subject));
    const outcome = await runTool(call, options);
    if (!outcome.ok) countToolFailure(options.report, call.name);
    if (call.name === 'shell' || !outcome.ok) await options.show(toolOutput(outcome.text));
    messages.push(resultMessage(call, outcome));
    if (outcome.question !== undefined) return outcome.question;
  }
  return undefined;
}

function limitReached({ settings, report }: AgentLoopOptions, step: number): AttemptFailure | undefined {
  const used = (report.usage?.input_tokens ?? 0) + (report.usage?.output_tokens ?? 0);
  if (used >= settings.maxTokens) {
    return { code: 'token_limit', message: `The attempt used ${used} tokens; its limit is ${settings.maxTokens}.` };
  }
  if (step < settings.maxSteps) return undefined;
  return { code: 'step_limit', message: `The model was not done after ${step} calls, the limit of an attempt.` };
}

/**
 * Runs the agent until it is done; `report` holds the outcome.
 * @throws the reason of `place.signal` when it aborts; what `show` throws
 */
export async function runAgentLoop(options: AgentLoopOptions): Promise<void> {
  const { report } = options;
  const messages: ModelMessage[] = [{ role: 'user', content: options.prompt }];
  for (let step = 0; ; step += 1) {
    const limit = limitReached(options, step);
    if (limit !== undefined) {
      report.failure = limit;
      return;
    }
    for (const { text } of options.inbox.take()) messages.push({ role: 'user', content: text });
    const end = await callUntilAnswered(options, messages);
    if ('code' in end) {
      report.failure = end;
      return;
    }
    report.usage = addUsage(report.usage, end.usage);
    if (end.text.trim() !== '') report.answer = end.text;
    messages.push(answerMessage(end));
    const question = await runTools(options, end.calls, messages);
    const continues = question === undefined && end.calls.length > 0;
    // Messages that arrived during its last answer are for this attempt too.
    if (continues || !options.inbox.close()) continue;
    if (question !== undefined) report.question = question;
    else if (end.cut) report.failure = { code: 'token_limit', message: 'The model was cut off before it was done.' };
    report.finished = report.failure === undefined;
    return;
  }
}
