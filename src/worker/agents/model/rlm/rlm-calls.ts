// Answers the calls of code in the REPL: sub-calls of the model, and reads of the workspace's files.
import { z } from 'zod';
import type { SandboxedFiles } from '../../../sandboxed-fs/files.ts';
import { PathRefused } from '../../../sandboxed-fs/path-refused.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';
import type { HostReply } from './repl/protocol.ts';
import { LimitReached, type RlmBudget } from './rlm-budget.ts';
import { subcallInstructions } from './rlm-instructions.ts';

/** One question to a model, without tools. */
export interface ModelQuestion {
  readonly instructions: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

export interface ModelAnswer {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Asks the model of the sub-calls. An endpoint that is away is waited for.
 * @throws SubcallFailed; the signal's reason
 */
export type AskModel = (question: ModelQuestion) => Promise<ModelAnswer>;

/** The endpoint rejected a sub-call, or its answer cannot be read. */
export class SubcallFailed extends Error {
  override readonly name = 'SubcallFailed';
}

export interface RlmCallsOptions {
  readonly budget: RlmBudget;
  readonly maxConcurrency: number;
  readonly askModel: AskModel;
  /** Undefined: the caller is a sub-call itself and has no files. */
  readonly files: Pick<SandboxedFiles, 'list' | 'readText'> | undefined;
  /** Answers `rlm(question, text)` from a REPL of its own; undefined: it is a plain call. */
  readonly askDeeper: ((question: string, text: string) => Promise<ModelAnswer>) | undefined;
  readonly signal: AbortSignal;
}

export interface AnsweredCall {
  readonly reply: HostReply;
  readonly tokens: number;
}

const oneText = z.tuple([z.string()]);
const twoTexts = z.tuple([z.string(), z.string()]);
const manyTexts = z.tuple([z.array(z.string()).max(1_000)]);

const maxEntries = 20_000;
const maxMatches = 10_000;
const skipped = new Set(['node_modules', '.venv', '__pycache__']);

type Call = (args: readonly unknown[]) => Promise<z.core.util.JSONType>;

export class RlmCalls {
  readonly #options: RlmCallsOptions;
  readonly #calls: ReadonlyMap<string, Call>;
  #usedInIteration = 0;
  #tokens = 0;

  constructor(options: RlmCallsOptions) {
    this.#options = options;
    this.#calls = new Map<string, Call>([
      ['llm', (args) => this.#ask(oneText.parse(args)[0])],
      ['llmBatch', (args) => this.#askAll(manyTexts.parse(args)[0])],
      ['rlm', (args) => this.#askDeeper(...twoTexts.parse(args))],
      ['files.list', (args) => this.#list(oneText.parse(args)[0])],
      ['files.read', (args) => this.#files().readText(oneText.parse(args)[0])],
      ['files.search', (args) => this.#search(...twoTexts.parse(args))],
      ['elapsed', () => Promise.resolve(Math.round(options.budget.elapsedMs()))],
    ]);
  }

  /** An iteration is a block of code. */
  beginIteration(): void {
    this.#usedInIteration = 0;
  }

  /** @throws the signal's reason; an error that is neither the guest's nor the endpoint's */
  async answer(name: string, args: readonly unknown[]): Promise<AnsweredCall> {
    const before = this.#tokens;
    const call = this.#calls.get(name);
    try {
      if (call === undefined) return { reply: { error: { message: `there is no ${name}` } }, tokens: 0 };
      return { reply: { value: await call(args) }, tokens: this.#tokens - before };
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return { reply: { error: toGuestError(name, error) }, tokens: this.#tokens - before };
    }
  }

  #take(prompts: readonly string[]): void {
    this.#options.budget.takeSubcalls(prompts, this.#usedInIteration);
    this.#usedInIteration += prompts.length;
  }

  async #askOnce(prompt: string): Promise<string> {
    const messages = [{ role: 'user', text: prompt } as const];
    return this.#count(await this.#options.askModel({ instructions: subcallInstructions, messages }));
  }

  #count({ text, tokens }: ModelAnswer): string {
    this.#tokens += tokens;
    return text;
  }

  async #ask(prompt: string): Promise<string> {
    this.#take([prompt]);
    return this.#askOnce(prompt);
  }

  async #askAll(prompts: readonly string[]): Promise<z.core.util.JSONType> {
    this.#take(prompts);
    const answers: (string | { error: string })[] = [];
    let next = 0;
    const askInTurn = async (): Promise<void> => {
      for (let at = next++; at < prompts.length; at = next++) {
        try {
          answers[at] = await this.#askOnce(prompts[at] ?? '');
        } catch (error) {
          if (!(error instanceof SubcallFailed)) throw error;
          answers[at] = { error: error.message };
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#options.maxConcurrency, prompts.length) }, askInTurn));
    return answers;
  }

  async #askDeeper(question: string, text: string): Promise<string> {
    const { askDeeper } = this.#options;
    if (askDeeper === undefined) return this.#ask(`${question}\n\n${text}`);
    this.#take([question]);
    return this.#count(await askDeeper(question, text));
  }

  #files(): Pick<SandboxedFiles, 'list' | 'readText'> {
    if (this.#options.files === undefined) throw new PathRefused('guarded', 'Sub-calls have no files.');
    return this.#options.files;
  }

  /** The paths of all files below a folder; a folder ends with `/` where it is not entered. */
  async #list(folder: string): Promise<string[]> {
    const found: string[] = [];
    for (const { path, kind } of await this.#files().list(folder)) {
      this.#options.signal.throwIfAborted();
      if (kind === 'file') found.push(path);
      else if (kind === 'folder' && !skipped.has(path.split('/').at(-1) ?? '')) found.push(...(await this.#list(path)));
      else if (kind === 'folder') found.push(`${path}/`);
      if (found.length > maxEntries)
        throw new PathRefused('too_large', `More than ${maxEntries} files: list a subfolder.`);
    }
    return found;
  }

  async #search(text: string, folder: string): Promise<z.core.util.JSONType> {
    const found: { path: string; line: number; text: string }[] = [];
    for (const path of await this.#list(folder)) {
      this.#options.signal.throwIfAborted();
      for (const [line, content] of (await this.#textOrNothing(path)).split('\n').entries()) {
        if (content.includes(text)) found.push({ path, line, text: content });
      }
      if (found.length > maxMatches) throw new PathRefused('too_large', `More than ${maxMatches} lines contain it.`);
    }
    return found;
  }

  /** A file that is not text has no lines to search. */
  async #textOrNothing(path: string): Promise<string> {
    try {
      return path.endsWith('/') ? '' : await this.#files().readText(path);
    } catch (error) {
      if (error instanceof PathRefused) return '';
      throw error;
    }
  }
}

interface GuestError {
  message: string;
  limit?: string;
  left?: number;
}

/** The error as code in the REPL catches it. @throws errors that are a bug */
function toGuestError(name: string, error: unknown): GuestError {
  if (error instanceof LimitReached) return { message: error.message, limit: error.limit, left: error.left };
  if (error instanceof PathRefused || error instanceof SubcallFailed) return { message: error.message };
  if (error instanceof z.ZodError) return { message: `${name}: wrong arguments` };
  const code = errorCode(error);
  if (code === undefined) throw error;
  return { message: `System error: ${code}` };
}
