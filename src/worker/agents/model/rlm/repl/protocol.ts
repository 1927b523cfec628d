// The messages between the worker and the thread of a REPL.
import { z } from 'zod';

export const contextPart = z.strictObject({ name: z.string(), text: z.string() });
/** A text that code in the REPL reads. */
export type ContextPart = z.infer<typeof contextPart>;

/** The answer to a call of the guest: a value, or the error that the call throws there. */
export const hostReply = z.union([
  z.strictObject({ value: z.json() }),
  z.strictObject({
    error: z.strictObject({ message: z.string(), limit: z.string().optional(), left: z.number().optional() }),
  }),
]);
export type HostReply = z.infer<typeof hostReply>;

export const toThread = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('part'), part: contextPart }),
  z.strictObject({ type: z.literal('run'), code: z.string() }),
  z.strictObject({ type: z.literal('reply'), reply: hostReply }),
]);
export type ToThread = z.infer<typeof toThread>;

const blockEnd = z.strictObject({
  /** The printed text, the value and the error of the block. */
  output: z.string(),
  ok: z.boolean(),
  /** The text that the block gave to `answer()` last. */
  draft: z.string().optional(),
});
export type GuestBlockEnd = z.infer<typeof blockEnd>;

export const fromThread = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('call'), name: z.string(), args: z.array(z.json()) }),
  z.strictObject({ type: z.literal('done'), end: blockEnd }),
]);
export type FromThread = z.infer<typeof fromThread>;

export const threadData = z.object({
  /** Changes with every message to the thread, which waits for it while the host answers. */
  signal: z.instanceof(SharedArrayBuffer),
  memoryMb: z.number(),
  blockMs: z.number(),
  maxOutputChars: z.number(),
});
export type ThreadData = z.infer<typeof threadData>;
