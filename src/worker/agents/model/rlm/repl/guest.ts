// One QuickJS context: runs blocks of code whose variables live on, within limits of memory, time and output.
import {
  newQuickJSWASMModuleFromVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten';
import { z } from 'zod';
import { createPartReads, type PartRead } from './part-reader.ts';
import { prelude } from './prelude.ts';
import type { ContextPart, GuestBlockEnd, HostReply } from './protocol.ts';

export interface GuestOptions {
  readonly memoryMb: number;
  /** Computing time of one block, without waiting for the host. */
  readonly blockMs: number;
  readonly maxOutputChars: number;
  /** Answers a call of the guest; blocks until the answer is there. */
  readonly callHost: (name: string, args: readonly z.core.util.JSONType[]) => HostReply;
}

export interface Guest {
  addPart(part: ContextPart): void;
  /** Runs a block. An error that is not the guest's own is thrown: the guest cannot be used any more. */
  run(code: string): GuestBlockEnd;
}

/** Well below the stack of the module, whose overflow would end the thread. */
const stackBytes = 256 * 1024;
const megabyte = 1024 * 1024;

/** Keeps the beginning of a block's output, and notes how much was left out. */
class BlockOutput {
  readonly #maxChars: number;
  #text = '';
  #dropped = 0;
  draft: string | undefined;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  line(text: string): void {
    const left = Math.max(0, this.#maxChars - this.#text.length);
    const line = `${text}\n`;
    this.#text += line.slice(0, left);
    this.#dropped += Math.max(0, line.length - left);
  }

  text(): string {
    return this.#dropped === 0
      ? this.#text
      : `${this.#text}\n… ${this.#dropped} characters left out: print less, keep the rest in variables\n`;
  }
}

/** Names that a block may have declared; whether it did is asked when they are listed. */
function declaredNames(code: string): string[] {
  const plain = code.matchAll(/\b(?:let|const|var|function\*?|class)\s+([A-Za-z_$][\w$]*)/g);
  const patterns = code.matchAll(/\b(?:let|const|var)\s*[[{]([^=]*)[\]}]\s*=/g);
  return [
    ...[...plain].map(([, name = '']) => name),
    ...[...patterns].flatMap(([, inside = '']) => inside.match(/[A-Za-z_$][\w$]*/g) ?? []),
  ];
}

const json = z.string().transform((text): unknown => JSON.parse(text));
const callArguments = json.pipe(z.array(z.json()));

class QuickJsGuest implements Guest {
  readonly #options: GuestOptions;
  readonly #vm: QuickJSContext;
  readonly #runtime: QuickJSRuntime;
  readonly #tools: QuickJSHandle;
  readonly #parts: ContextPart[] = [];
  readonly #reads = createPartReads(this.#parts);
  #output: BlockOutput;
  #deadlineMs = Infinity;

  constructor(runtime: QuickJSRuntime, options: GuestOptions) {
    this.#options = options;
    this.#runtime = runtime;
    runtime.setMemoryLimit(options.memoryMb * megabyte);
    runtime.setMaxStackSize(stackBytes);
    runtime.setInterruptHandler(() => performance.now() > this.#deadlineMs);
    this.#vm = runtime.newContext();
    this.#output = new BlockOutput(options.maxOutputChars);
    const vm = this.#vm;
    const native = vm.newFunction('native', (name, args) =>
      vm.newString(JSON.stringify(this.#answer(vm.getString(name), callArguments.parse(vm.getString(args))))),
    );
    const made = vm.unwrapResult(vm.evalCode(prelude));
    this.#tools = vm.unwrapResult(vm.callFunction(made, vm.undefined, native));
    made.dispose();
    native.dispose();
  }

  addPart(part: ContextPart): void {
    this.#parts.push(part);
    const length = this.#vm.newNumber(part.text.length);
    this.#callTool('addPart', this.#text(part.name), length);
  }

  run(code: string): GuestBlockEnd {
    const output = new BlockOutput(this.#options.maxOutputChars);
    this.#output = output;
    this.#deadlineMs = performance.now() + this.#options.blockMs;
    for (const name of declaredNames(code)) this.#callTool('remember', this.#text(name));
    const ok = this.#evaluate(code, output);
    this.#deadlineMs = Infinity;
    return { output: output.text(), ok, ...(output.draft !== undefined && { draft: output.draft }) };
  }

  #evaluate(code: string, output: BlockOutput): boolean {
    const result = this.#vm.evalCode(code, 'block.js', { type: 'global' });
    if (result.error !== undefined) {
      output.line(this.#describe(result.error));
      return false;
    }
    const isShown = this.#vm.typeof(result.value) !== 'undefined';
    if (isShown) output.line(this.#shown(result.value));
    else result.value.dispose();
    const jobs = this.#runtime.executePendingJobs();
    if (jobs.error === undefined) return true;
    output.line(this.#describe(jobs.error));
    return false;
  }

  /** The value of a block as text; what its own code throws while it is shown is the text then. */
  #shown(value: QuickJSHandle): string {
    return this.#callTool('show', value) ?? '(a value that cannot be shown)';
  }

  #describe(error: QuickJSHandle): string {
    // The time of a block that was cut is over; its error still has to be reported.
    const interrupted = performance.now() > this.#deadlineMs;
    if (interrupted) this.#deadlineMs = performance.now() + 1_000;
    const description = this.#callTool('describe', error) ?? 'an error that cannot be shown';
    const { blockMs } = this.#options;
    return interrupted ? `The block was cut after ${blockMs / 1000} s of computing (${description})` : description;
  }

  /** Calls a function of the prelude and disposes what it was given. @returns its text; undefined where it threw */
  #callTool(name: string, ...given: QuickJSHandle[]): string | undefined {
    const vm = this.#vm;
    const tool = vm.getProp(this.#tools, name);
    const result = vm.callFunction(tool, vm.undefined, ...given);
    for (const handle of [tool, ...given]) handle.dispose();
    if (result.error !== undefined) {
      result.error.dispose();
      return undefined;
    }
    const text = vm.getString(result.value);
    result.value.dispose();
    return text;
  }

  /** A text without what the module's strings cannot carry. */
  #text(text: string): QuickJSHandle {
    return this.#vm.newString(text.toWellFormed().replaceAll('\0', '\uFFFD'));
  }

  #answer(name: string, args: readonly z.core.util.JSONType[]): HostReply {
    const [text] = args;
    if (name === 'print' && typeof text === 'string') {
      this.#output.line(text);
      return { value: null };
    }
    if (name === 'answer' && typeof text === 'string') {
      this.#output.draft = text;
      return { value: null };
    }
    const read = this.#reads.get(name);
    if (read !== undefined) return readReply(read, args);
    const asked = performance.now();
    const reply = this.#options.callHost(name, args);
    this.#deadlineMs += performance.now() - asked;
    return reply;
  }
}

function readReply(read: PartRead, args: readonly unknown[]): HostReply {
  try {
    return { value: read(args) };
  } catch (error) {
    const message = error instanceof RangeError ? error.message : 'wrong arguments';
    return { error: { message } };
  }
}

/** Opens a context of its own module, which shares no memory with another. */
export async function openGuest(options: GuestOptions): Promise<Guest> {
  const module = await newQuickJSWASMModuleFromVariant(RELEASE_SYNC);
  return new QuickJsGuest(module.newRuntime(), options);
}
