// Moves long texts of an attempt into a REPL once its requests are over the threshold, and offers the tool `repl`.
import type { LanguageModel, ModelMessage } from 'ai';
import { z } from 'zod';
import type { SandboxedFiles } from '../../sandboxed-fs/files.ts';
import { addUsage, type ModelCallUsage } from '../output/usage.ts';
import { callUntilAnswered, type EndpointCallOptions } from './endpoint-call.ts';
import { largeTextsOf, textsOf, type LargeText } from './message-texts.ts';
import { SubcallFailed, type AskModel } from './rlm/rlm-calls.ts';
import { answerNow, replInstructions } from './rlm/rlm-instructions.ts';
import { RlmSession } from './rlm/rlm-session.ts';
import type { RlmSettings } from './rlm/rlm-settings.ts';
import { estimateTokens, isOverTokens } from './rlm/token-estimate.ts';
import { defineTool, type ModelTool } from './tool.ts';

/** A task's own choice, in `metadata.rlm`. */
export type RlmChoice = 'always' | 'never' | undefined;

const choices = z.object({ rlm: z.enum(['always', 'never']) });

/** Reads `metadata.rlm`; another value counts as none. */
export function rlmChoice(metadata: unknown): RlmChoice {
  return choices.safeParse(metadata).data?.rlm;
}

/** The remedy for a request that is larger than the model's window. */
export function largeContextHint({ enabled, thresholdTokens }: RlmSettings, choice: RlmChoice): string {
  if (choice === 'never') return 'Its task forbids the REPL for large contexts: leave out metadata.rlm.';
  return enabled || choice === 'always'
    ? `Set A2A_RLM_THRESHOLD_TOKENS of the worker, now ${thresholdTokens}, below that window.`
    : 'Set SERVICE_RLM_ENABLED=1 on the worker, or metadata.rlm of the task to always.';
}

export interface LargeContextOptions {
  readonly choice: RlmChoice;
  readonly settings: RlmSettings;
  readonly call: EndpointCallOptions;
  readonly subcallModel: LanguageModel;
  readonly files: Pick<SandboxedFiles, 'list' | 'readText'>;
  /** The prompt without the exchange that followed it. */
  readonly taskPrompt: string;
  /** Tokens that the attempt may use. */
  readonly runTokens: number;
}

/** Longer texts move into the REPL in any case. */
const longChars = 8_000;
/** Shorter texts would not become shorter by moving. */
const shortChars = 1_500;

/** Undefined where the handling is off for this task. */
export function openLargeContext(options: LargeContextOptions): LargeContext | undefined {
  const { choice, settings } = options;
  const isOn = choice === 'always' || (choice === undefined && settings.enabled);
  return isOn ? new LargeContext(options) : undefined;
}

export class LargeContext implements AsyncDisposable {
  readonly #options: LargeContextOptions;
  #session: RlmSession | undefined;
  readonly #names = new Map<string, number>();

  constructor(options: LargeContextOptions) {
    this.#options = options;
  }

  /** None until the threshold is passed, then `repl` for the rest of the attempt. */
  get tools(): readonly ModelTool[] {
    const session = this.#session;
    return session === undefined ? [] : [replTool(session)];
  }

  get instructions(): readonly string[] {
    return this.#session === undefined ? [] : [replInstructions(this.#options.settings)];
  }

  /** Moves the long texts of the messages into the REPL, once they are over the threshold together. */
  async fit(messages: ModelMessage[]): Promise<void> {
    const { choice, settings, taskPrompt } = this.#options;
    if (this.#session === undefined) {
      if (choice !== 'always' && !(await isOverTokens(textsOf(messages), settings.thresholdTokens))) return;
      this.#session = this.#openSession();
    }
    this.#move(this.#session, largeTextsOf(messages, taskPrompt), messages);
  }

  addUsage(usage: ModelCallUsage): void {
    this.#session?.addTokens(usage.input + usage.output);
  }

  /** Set when a limit of the session is reached: the model's next answer is its last one. */
  lastWords(): string | undefined {
    const reason = this.#session?.stopReason();
    return reason === undefined ? undefined : `${answerNow} (${reason})`;
  }

  /** Ends the session with the model's last text: writes the artifact, and fails where there is no answer. */
  finish(text: string, truncated: boolean): void {
    const { report } = this.#options.call;
    const session = this.#session;
    if (session === undefined) return;
    const { draft } = session;
    const source = text.trim() !== '' ? 'model' : draft === undefined ? 'none' : 'draft';
    report.answer = source === 'model' ? text : (draft ?? '');
    const hasNoAnswer = source === 'none' || (source === 'draft' && truncated);
    if (hasNoAnswer) {
      const message = 'The model gave no answer when the limits of its REPL were reached.';
      report.failure = { code: 'rlm_no_answer', message };
    }
    this.#leaveRecord(session, { source, text: report.answer, truncated });
  }

  /** An attempt that ends without an answer leaves its record too. */
  async [Symbol.asyncDispose](): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    await session[Symbol.asyncDispose]();
    if (this.#options.call.report.artifacts === undefined) {
      this.#leaveRecord(session, { source: 'none', text: '', truncated: true });
    }
  }

  #leaveRecord(session: RlmSession, result: Parameters<RlmSession['finish']>[0]): void {
    const text = session.finish(result);
    this.#options.call.report.artifacts = [{ name: 'rlm', mime_type: 'application/x-ndjson', text }];
  }

  /** Long texts move; then the longest of the others, until the rest is at most half of the threshold. */
  #move(session: RlmSession, found: readonly LargeText[], messages: ModelMessage[]): void {
    const half = this.#options.settings.thresholdTokens / 2;
    let rest = textsOf(messages).reduce((sum, text) => sum + estimateTokens(text), 0);
    const moved: LargeText[] = [];
    for (const one of found.toSorted((a, b) => b.text.length - a.text.length)) {
      if (one.text.length <= shortChars || (one.text.length <= longChars && rest <= half)) break;
      rest -= estimateTokens(one.text);
      moved.push(one);
    }
    // In the order of the exchange, so that the numbers of the parts are too.
    for (const one of found.filter((each) => moved.includes(each))) {
      one.replace(session.addPart(this.#nameFor(one.name), one.text));
    }
  }

  #nameFor(name: string): string {
    const count = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  }

  #openSession(): RlmSession {
    const { settings, files, call, runTokens } = this.#options;
    const used = (): number => (call.report.usage?.input_tokens ?? 0) + (call.report.usage?.output_tokens ?? 0);
    return new RlmSession({
      settings,
      files,
      askModel: this.#askModel,
      runTokensLeft: () => runTokens - used(),
      nowMs: () => performance.now(),
      signal: call.signal,
    });
  }

  readonly #askModel: AskModel = async ({ instructions, messages }) => {
    const { call, subcallModel: model } = this.#options;
    // A paused attempt waits here.
    await call.show([]);
    const end = await callUntilAnswered(call, {
      model,
      instructions,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      tools: [],
      shows: false,
    });
    if ('code' in end) throw new SubcallFailed(end.message);
    call.report.usage = addUsage(call.report.usage, end.usage);
    const tokens = end.usage.input + end.usage.output;
    this.#session?.addTokens(tokens);
    return { text: end.text, tokens };
  };
}

function replTool(session: RlmSession): ModelTool {
  return defineTool({
    name: 'repl',
    description: 'Runs a block of JavaScript in the REPL that holds the long texts as `context`.',
    input: z.object({ code: z.string().min(1).max(200_000) }),
    subject: ({ code }) => code,
    async run({ code }) {
      const reason = session.stopReason();
      if (reason !== undefined) return { ok: false, text: `The block was not run: ${reason} is reached.` };
      const { ok, text } = await session.run(code);
      return { ok, text: text === '' ? 'The block printed nothing.' : text };
    },
  });
}
