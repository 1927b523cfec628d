// One session of an attempt: its REPL, its limits and its record.
import type { SandboxedFiles } from '../../../sandboxed-fs/files.ts';
import { Repl } from './repl/repl.ts';
import { RlmBudget } from './rlm-budget.ts';
import { RlmCalls, type AskModel } from './rlm-calls.ts';
import { createAskDeeper } from './rlm-deeper.ts';
import { partPreview } from './rlm-instructions.ts';
import { RlmRecord } from './rlm-record.ts';
import type { RlmSettings } from './rlm-settings.ts';

export interface RlmSessionOptions {
  readonly settings: RlmSettings;
  readonly files: Pick<SandboxedFiles, 'list' | 'readText'>;
  readonly askModel: AskModel;
  readonly runTokensLeft: () => number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export interface RlmResult {
  /** `draft`: the model ended without a text and `answer()` had one. */
  readonly source: 'model' | 'draft' | 'none';
  readonly text: string;
  readonly truncated: boolean;
}

export class RlmSession implements AsyncDisposable {
  readonly #record = new RlmRecord();
  readonly #budget: RlmBudget;
  readonly #calls: RlmCalls;
  readonly #repl: Repl;
  #blocks = 0;
  /** The last text that a block gave to `answer()`. */
  draft: string | undefined;

  constructor(options: RlmSessionOptions) {
    const { settings, files, askModel, signal } = options;
    const budget = new RlmBudget(options);
    const askDeeper = createAskDeeper({ settings, budget, askModel, depth: 0, signal });
    const { maxConcurrency, memoryMb, maxOutputChars, blockSeconds } = settings;
    this.#budget = budget;
    this.#calls = new RlmCalls({ budget, maxConcurrency, files, askModel, askDeeper, signal });
    this.#repl = new Repl({
      memoryMb,
      maxOutputChars,
      blockMs: blockSeconds * 1000,
      signal,
      answerCall: async (name, args) => {
        const { reply, tokens } = await this.#calls.answer(name, args);
        this.#record.addCall(this.#blocks, name, args, tokens, reply);
        if ('error' in reply && reply.error.limit !== undefined) {
          this.#record.add({
            type: 'limit',
            block: this.#blocks,
            limit: reply.error.limit,
            left: reply.error.left ?? 0,
          });
        }
        return reply;
      },
    });
  }

  /** Adds a text to `context`. @returns what the model sees of it */
  addPart(name: string, text: string): string {
    const index = this.#repl.parts.length;
    const part = { name, text };
    this.#repl.addPart(part);
    this.#record.addPart(index, part);
    return partPreview(index, part);
  }

  /** Runs a block of the model. @throws the signal's reason */
  async run(code: string): Promise<{ ok: boolean; text: string }> {
    this.#blocks += 1;
    const block = this.#blocks;
    this.#calls.beginIteration();
    this.#record.add({ type: 'block', block, code });
    const { output, ok, killed, draft } = await this.#repl.run(code);
    this.draft = draft ?? this.draft;
    this.#record.add({ type: 'output', block, text: output, ok, killed });
    if (draft !== undefined) this.#record.add({ type: 'draft', block, text: draft });
    return { ok, text: output };
  }

  /** Counts the tokens of the task's own calls too. */
  addTokens(tokens: number): void {
    this.#budget.addTokens(tokens);
  }

  /** The limit that is reached: the next turn of the model is its last one. */
  stopReason(): string | undefined {
    return this.#budget.stopReason(this.#blocks);
  }

  /** The record as NDJSON. */
  finish({ source, text, truncated }: RlmResult): string {
    const end = { type: 'end', blocks: this.#blocks, subcalls: this.#budget.subcalls, truncated } as const;
    return this.#record.finish({ type: 'result', source, text }, end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#repl[Symbol.asyncDispose]();
  }
}
