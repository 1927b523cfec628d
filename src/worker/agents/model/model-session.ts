// The run of the built-in agent: ask the model, do what it wants with its tools, tell it, until it is done. choices §5.
import type { LanguageModel, ModelMessage } from 'ai';
import { PathRefused } from '../../sandboxed-fs/path-refused.ts';
import type { AgentReport, RunError, Said } from '../adapter/adapter.ts';
import { spoken, toolCall, toolOutput } from '../output/event-reader.ts';
import type { Inbox } from '../adapter/inbox.ts';
import { countCall, countFailure } from '../output/tool-tally.ts';
import { addUsage } from '../output/usage.ts';
import type { EndpointError } from './endpoint-fetch.ts';
import type { ModelSettings } from './model-settings.ts';
import { askModel, endpointErrorOf, type StepEnd, type ToolCall } from './model-step.ts';
import type { ModelTool, ToolOutcome, ToolPlace } from './tool.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

export interface ModelSession {
  settings: Pick<ModelSettings, 'apiKey' | 'maxSteps' | 'maxTokens'>;
  model: LanguageModel;
  prompt: string;
  instructions: string;
  tools: readonly ModelTool[];
  place: ToolPlace;
  /** Changed as the run goes on; final when the run has ended. */
  report: AgentReport;
  show: (said: Said[]) => Promise<void>;
  inbox: Inbox;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const firstRetryMs = 500;
const longestRetryMs = 20_000;
/** An answer that cannot be read is asked for again so often. */
const malformedTries = 3;

function failureOf({ kind, message }: EndpointError): RunError {
  if (kind === 'refused')
    return { code: 'model_refused', message: `The model endpoint refused the request: ${message}` };
  if (kind === 'unreachable') return { code: 'model_unreachable', message: `The model cannot be reached: ${message}` };
  return { code: 'model_malformed', message: `The model endpoint gave an answer that cannot be read: ${message}` };
}

/** Shows text by whole lines, so that neither half a word nor half a key is an event. */
function lineShower(session: ModelSession): { onText(delta: string): Promise<void>; end(): Promise<void> } {
  let rest = '';
  const clean = (text: string): Said[] => spoken(withoutKey(text, session.settings.apiKey));
  return {
    async onText(delta) {
      rest += delta;
      const at = rest.lastIndexOf('\n') + 1;
      if (at === 0) return;
      const lines = rest.slice(0, at);
      rest = rest.slice(at);
      await session.show(clean(lines));
    },
    async end() {
      await session.show(clean(rest));
      rest = '';
    },
  };
}

/** What an endpoint says may hold the key that it was sent. */
function withoutKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey.length < 8 ? text : text.replaceAll(apiKey, '***');
}

/** Asks until there is an answer: an endpoint that is away or busy is waited for; the run's own patience ends that. */
async function persist(session: ModelSession, messages: ModelMessage[]): Promise<StepEnd | RunError> {
  const { model, instructions, tools, report, place, show } = session;
  for (let [tries, malformed, waitMs] = [1, 0, firstRetryMs]; ; tries += 1) {
    const shower = lineShower(session);
    try {
      const { signal } = place;
      const end = await askModel({
        model,
        instructions,
        messages,
        tools,
        signal,
        onText: (text) => shower.onText(text),
      });
      await shower.end();
      delete report.waitingForModel;
      return end;
    } catch (error) {
      place.signal.throwIfAborted();
      await shower.end();
      const found = endpointErrorOf(error);
      const failure = failureOf(found);
      failure.message = withoutKey(failure.message, session.settings.apiKey).slice(0, 4_000);
      if (found.kind === 'malformed') malformed += 1;
      if (found.kind === 'refused' || malformed >= malformedTries) return failure;
      report.waitingForModel = failure.message;
      await show([{ stream: 'stderr', text: `${failure.message} (tried ${tries} times)\n` }]);
      await session.wait(waitMs, place.signal);
      waitMs = Math.min(longestRetryMs, waitMs * 2);
    }
  }
}

async function carryOut(call: ToolCall, { tools, place }: ModelSession): Promise<ToolOutcome> {
  const found = tools.find(({ name }) => name === call.name);
  if (found === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    return { ok: false, text: `There is no tool ${call.name.slice(0, 100)}. There are: ${names}.` };
  }
  try {
    return await found.run(call.input, place);
  } catch (error) {
    place.signal.throwIfAborted();
    if (error instanceof PathRefused) return { ok: false, text: error.message };
    // The disk's own refusals (no space, no permission) are for the model to know; anything else is a fault of ours.
    if (errorCode(error) === undefined) throw error;
    return { ok: false, text: `The system refused: ${errorCode(error)}` };
  }
}

/** What the model said, as the next call tells it. Input that is no object is not told again: endpoints refuse it. */
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

function resultMessage({ id, name }: ToolCall, { ok, text }: ToolOutcome): ModelMessage {
  const output = { type: ok ? ('text' as const) : ('error-text' as const), value: text };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] };
}

/** Does what the model asked for, in its order. @returns the question that ends the run, if it asked one */
async function useTools(
  session: ModelSession,
  calls: ToolCall[],
  messages: ModelMessage[],
): Promise<string | undefined> {
  for (const call of calls) {
    const subject = session.tools.find(({ name }) => name === call.name)?.subject(call.input) ?? '';
    countCall(session.report, call.name);
    await session.show(toolCall(call.name, subject));
    const outcome = await carryOut(call, session);
    if (!outcome.ok) countFailure(session.report, call.name);
    if (call.name === 'shell' || !outcome.ok) await session.show(toolOutput(outcome.text));
    messages.push(resultMessage(call, outcome));
    if (outcome.question !== undefined) return outcome.question;
  }
  return undefined;
}

function limitReached({ settings, report }: ModelSession, step: number): RunError | undefined {
  const used = (report.usage?.input_tokens ?? 0) + (report.usage?.output_tokens ?? 0);
  if (used >= settings.maxTokens) {
    return { code: 'token_limit', message: `The run has used ${used} tokens; its limit is ${settings.maxTokens}.` };
  }
  if (step < settings.maxSteps) return undefined;
  return { code: 'step_limit', message: `The model was asked ${step} times, the limit, and was not done.` };
}

/**
 * Runs the agent to its end; `report` tells how it ended.
 * @throws the reason of `place.signal` when it aborts; what `show` throws
 */
export async function runModelSession(session: ModelSession): Promise<void> {
  const { report } = session;
  const messages: ModelMessage[] = [{ role: 'user', content: session.prompt }];
  for (let step = 0; ; step += 1) {
    const limit = limitReached(session, step);
    if (limit !== undefined) {
      report.failure = limit;
      return;
    }
    for (const { text } of session.inbox.take()) messages.push({ role: 'user', content: text });
    const end = await persist(session, messages);
    if ('code' in end) {
      report.failure = end;
      return;
    }
    report.usage = addUsage(report.usage, end.spent);
    if (end.text.trim() !== '') report.answer = end.text;
    messages.push(answerMessage(end));
    const question = await useTools(session, end.calls, messages);
    const goesOn = question === undefined && end.calls.length > 0;
    // What was said while it worked on its last words is for it too.
    if (goesOn || !session.inbox.close()) continue;
    if (question !== undefined) report.question = question;
    else if (end.cut) report.failure = { code: 'token_limit', message: 'The model was cut off before it was done.' };
    report.finished = report.failure === undefined;
    return;
  }
}
