// The record of a session, row by row: enough to run its blocks again without a model.
import { z } from 'zod';
import { sha256 } from '../../../../lib/digest.ts';
import { hostReply, type ContextPart, type HostReply } from './repl/protocol.ts';

const rows = {
  part: z.strictObject({
    type: z.literal('part'),
    index: z.int(),
    name: z.string(),
    length: z.int(),
    sha256: z.string(),
  }),
  block: z.strictObject({ type: z.literal('block'), block: z.int(), code: z.string() }),
  /** A call of the block: its arguments by size and digest, and the whole answer. */
  call: z.strictObject({
    type: z.literal('call'),
    block: z.int(),
    name: z.string(),
    chars: z.int(),
    sha256: z.string(),
    tokens: z.int(),
    reply: hostReply,
  }),
  limit: z.strictObject({ type: z.literal('limit'), block: z.int(), limit: z.string(), left: z.number() }),
  output: z.strictObject({
    type: z.literal('output'),
    block: z.int(),
    text: z.string(),
    ok: z.boolean(),
    killed: z.boolean(),
  }),
  draft: z.strictObject({ type: z.literal('draft'), block: z.int(), text: z.string() }),
  result: z.strictObject({ type: z.literal('result'), source: z.enum(['model', 'draft', 'none']), text: z.string() }),
  /** Rows that were left out, since the record had reached its size. */
  omitted: z.strictObject({ type: z.literal('omitted'), rows: z.int() }),
  end: z.strictObject({ type: z.literal('end'), blocks: z.int(), subcalls: z.int(), truncated: z.boolean() }),
};
export const rlmRow = z.discriminatedUnion('type', [
  rows.part,
  rows.block,
  rows.call,
  rows.limit,
  rows.output,
  rows.draft,
  rows.result,
  rows.omitted,
  rows.end,
]);
export type RlmRow = z.infer<typeof rlmRow>;

/** A release carries the record with the other artifacts in one body of at most 16 MiB. */
const maxRecordChars = 3_000_000;

export class RlmRecord {
  readonly #lines: string[] = [];
  #chars = 0;
  #omitted = 0;

  add(row: RlmRow): void {
    const line = JSON.stringify(row);
    if (this.#omitted > 0 || this.#chars + line.length > maxRecordChars) this.#omitted += 1;
    else {
      this.#lines.push(line);
      this.#chars += line.length + 1;
    }
  }

  addPart(index: number, { name, text }: ContextPart): void {
    this.add({ type: 'part', index, name, length: text.length, sha256: sha256(text, 'hex') });
  }

  addCall(block: number, name: string, args: readonly unknown[], tokens: number, reply: HostReply): void {
    const given = JSON.stringify(args);
    this.add({ type: 'call', block, name, chars: given.length, sha256: sha256(given, 'hex'), tokens, reply });
  }

  /** The rows as NDJSON; the last one is `end`. */
  finish(...last: RlmRow[]): string {
    const rest = this.#omitted === 0 ? [] : [{ type: 'omitted' as const, rows: this.#omitted }];
    return [...this.#lines, ...[...rest, ...last].map((row) => JSON.stringify(row))]
      .map((line) => `${line}\n`)
      .join('');
  }
}
