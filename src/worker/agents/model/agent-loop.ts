// The loop of the built-in agent: ask the model, run the tools that it calls, return their results, until it is done.
// choices-5.
import type { ModelMessage } from 'ai';
import { PathRefused } from '../../sandboxed-fs/path-refused.ts';
import type { AttemptFailure } from '../adapter/adapter.ts';
import { toolCall, toolOutput } from '../output/event-reader.ts';
import type { Inbox } from '../adapter/inbox.ts';
import { countToolCall, countToolFailure } from '../output/tool-counts.ts';
import { addUsage } from '../output/usage.ts';
import { callUntilAnswered, type EndpointCallOptions } from './endpoint-call.ts';
import type { LargeContext } from './large-context.ts';
import type { ModelSettings } from './model-settings.ts';
import type { StepEnd, ToolCall } from './model-step.ts';
import type { ModelTool, ModelToolResult, ToolContext } from './tool.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

export interface AgentLoopOptions extends EndpointCallOptions {
  readonly settings: Pick<ModelSettings, 'apiKey' | 'maxSteps' | 'maxTokens'>;
  readonly prompt: string;
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly toolContext: ToolContext;
  readonly inbox: Inbox;
  /** Moves long texts out of the requests; undefined: they are sent as they are. */
  readonly largeContext: LargeContext | undefined;
}

/** People see what these print. */
const shownTools = new Set(['shell', 'repl']);

async function runTool(
  call: ToolCall,
  { toolContext }: AgentLoopOptions,
  tools: readonly ModelTool[],
): Promise<ModelToolResult> {
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

function toolsOf({ tools, largeContext }: AgentLoopOptions): readonly ModelTool[] {
  return [...tools, ...(largeContext?.tools ?? [])];
}

/** Runs the called tools in order, until one ends the attempt. @returns the outcome that ends it, if one does */
async function runTools(
  options: AgentLoopOptions,
  calls: ToolCall[],
  messages: ModelMessage[],
): Promise<ModelToolResult | undefined> {
  const tools = toolsOf(options);
  for (const call of calls) {
    const subject = tools.find(({ name }) => name === call.name)?.subject(call.input) ?? '';
    countToolCall(options.report, call.name);
    await options.show(toolCall(call.name, subject));
    const outcome = await runTool(call, options, tools);
    if (!outcome.ok) countToolFailure(options.report, call.name);
    if (shownTools.has(call.name) || !outcome.ok) await options.show(toolOutput(outcome.text));
    messages.push(resultMessage(call, outcome));
    if (outcome.question !== undefined || outcome.answer !== undefined) return outcome;
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

/** The next answer of the model; `last`: it is the last one, and no tool is run after it. */
async function takeTurn(
  options: AgentLoopOptions,
  messages: ModelMessage[],
): Promise<{ end: StepEnd | AttemptFailure; last: boolean }> {
  const { largeContext, instructions } = options;
  await largeContext?.fit(messages);
  const lastWords = largeContext?.lastWords();
  if (lastWords !== undefined) messages.push({ role: 'user', content: lastWords });
  const last = lastWords !== undefined;
  const end = await callUntilAnswered(options, {
    instructions: [instructions, ...(largeContext?.instructions ?? [])].join('\n\n'),
    messages,
    tools: toolsOf(options),
    shows: true,
  });
  return { end, last };
}

/**
 * Runs the agent until it is done; `report` holds the outcome.
 * @throws the reason of `place.signal` when it aborts; what `show` throws
 */
export async function runAgentLoop(options: AgentLoopOptions): Promise<void> {
  const { report, largeContext } = options;
  const messages: ModelMessage[] = [{ role: 'user', content: options.prompt }];
  for (let step = 0; ; step += 1) {
    const limit = limitReached(options, step);
    if (limit !== undefined) {
      report.failure = limit;
      return;
    }
    for (const { text } of options.inbox.take()) messages.push({ role: 'user', content: text });
    const { end, last } = await takeTurn(options, messages);
    if ('code' in end) {
      report.failure = end;
      return;
    }
    report.usage = addUsage(report.usage, end.usage);
    largeContext?.addUsage(end.usage);
    if (end.text.trim() !== '') report.answer = end.text;
    messages.push(answerMessage(end));
    const ending = last ? undefined : await runTools(options, end.calls, messages);
    const continues = !last && ending === undefined && end.calls.length > 0;
    // Messages that arrived during its last answer are for this attempt too.
    if (continues || (!options.inbox.close() && !last)) continue;
    if (ending?.question !== undefined) report.question = ending.question;
    else if (ending?.answer !== undefined) report.answer = ending.answer;
    else if (end.cut) report.failure = { code: 'token_limit', message: 'The model was cut off before it was done.' };
    else largeContext?.finish(end.text, last);
    report.finished = report.failure === undefined;
    return;
  }
}
