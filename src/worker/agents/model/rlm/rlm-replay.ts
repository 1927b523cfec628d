// Runs the blocks of a record again: every call gets the answer that it had, and no model takes part.
import { sha256 } from '../../../../lib/digest.ts';
import type { ContextPart, HostReply } from './repl/protocol.ts';
import { Repl } from './repl/repl.ts';
import { rlmRow, type RlmRow } from './rlm-record.ts';
import type { RlmSettings } from './rlm-settings.ts';

export interface RlmReplay {
  /** The answer of the task. */
  readonly answer: string;
  /** The blocks whose output, draft or calls were not those of the record, from 1. */
  readonly differences: readonly number[];
}

export interface RlmReplayOptions {
  /** NDJSON, as the artifact `rlm` has it. */
  readonly record: string;
  /** The texts of the session's parts, by name. */
  readonly parts: ReadonlyMap<string, string>;
  readonly settings: Pick<RlmSettings, 'memoryMb' | 'blockSeconds' | 'maxOutputChars'>;
  readonly signal: AbortSignal;
}

function partOf(row: Extract<RlmRow, { type: 'part' }>, parts: ReadonlyMap<string, string>): ContextPart {
  const text = parts.get(row.name);
  if (text === undefined) throw new Error(`The part ${row.name} is missing: give its text.`);
  if (sha256(text, 'hex') !== row.sha256) throw new Error(`The part ${row.name} is not the one of the record.`);
  return { name: row.name, text };
}

/**
 * Replays a record.
 * @throws Error for a record that was cut, for missing or changed parts; ZodError for rows of another form
 */
export async function replayRlm({ record, parts, settings, signal }: RlmReplayOptions): Promise<RlmReplay> {
  const rows = record.split('\n').flatMap((line) => (line === '' ? [] : [rlmRow.parse(JSON.parse(line))]));
  if (rows.some(({ type }) => type === 'omitted')) throw new Error('The record was cut at its size and cannot replay.');
  const differences = new Set<number>();
  let pending: Extract<RlmRow, { type: 'call' }>[] = [];
  let block = 0;
  const answerCall = async (name: string, args: readonly unknown[]): Promise<HostReply> => {
    const call = pending.shift();
    if (call?.name === name && call.sha256 === sha256(JSON.stringify(args), 'hex')) return call.reply;
    differences.add(block);
    return Promise.resolve({ error: { message: 'the record has no such call' } });
  };
  const { memoryMb, maxOutputChars } = settings;
  await using repl = new Repl({ memoryMb, maxOutputChars, blockMs: settings.blockSeconds * 1000, answerCall, signal });
  let [answer, draft] = ['', ''];
  for (const row of rows) {
    if (row.type === 'part') repl.addPart(partOf(row, parts));
    if (row.type === 'result') answer = row.source === 'model' ? row.text : draft;
    if (row.type !== 'block') continue;
    block = row.block;
    pending = rows.flatMap((one) => (one.type === 'call' && one.block === block ? [one] : []));
    const output = rows.find((one) => one.type === 'output' && one.block === block);
    if (output?.type !== 'output') continue;
    if (output.killed) {
      await repl[Symbol.asyncDispose]();
      continue;
    }
    const end = await repl.run(row.code);
    draft = end.draft ?? draft;
    const drafted = rows.find((one) => one.type === 'draft' && one.block === block);
    const sameDraft = end.draft === (drafted?.type === 'draft' ? drafted.text : undefined);
    if (end.output !== output.text || pending.length > 0 || !sameDraft) differences.add(block);
  }
  return { answer, differences: [...differences] };
}
