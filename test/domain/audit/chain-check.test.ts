// Every change to an audit file is found, and the first bad line named.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkChain, type ChainReport } from '../../../src/domain/audit/chain-check.ts';
import { openSigner } from '../../../src/adapters/audit-file/signing-key.ts';
import { resolveAuditLocation } from '../../../src/server/config/audit-location.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { buildAuditEntry, auditFileIn, openTestAudit } from '../../support/audit/test-chain.ts';

const runs = process.env['SCALE'] === 'full' ? 1_000 : 200;
const entries = 40;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let intact: Buffer;
let lines: Buffer[];
let publicKey: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  {
    await using audit = await openTestAudit({ folder: folder.path });
    for (let i = 0; i < entries; i += 1) {
      await audit.trail.record(
        buildAuditEntry({ tenantId: i % 2 === 0 ? 'default' : 'other', metadata: { n: i, text: 'é"\\' } }),
      );
    }
  }
  const place = resolveAuditLocation(folder.path);
  publicKey = (await openSigner(place.keyFile, false)).publicKey;
  intact = readFileSync(auditFileIn(folder.path));
  lines = splitLines(intact);
});
afterAll(() => folder[Symbol.asyncDispose]());

function splitLines(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from) + 1;
    found.push(bytes.subarray(from, end));
    from = end;
  }
  return found;
}

/** The hashes in the database: that of the last line, as of a checkpoint. */
function known(): Map<number, string> {
  const last: { seq: number; hash: string } = JSON.parse(lines.at(-1)?.toString() ?? '');
  return new Map([[last.seq, last.hash]]);
}

async function check(bytes: Buffer, database: boolean): Promise<ChainReport> {
  async function* segments() {
    yield {
      path: 'f',
      changedAt: 0,
      // In chunks, as from a disk.
      bytes: (async function* pieces() {
        for (let from = 0; from < bytes.length; from += 1000) yield bytes.subarray(from, from + 1000);
      })(),
    };
  }
  return checkChain(segments(), { publicKey, ...(database ? { known: known() } : {}) });
}

interface Edit {
  readonly bytes: Buffer;
  /** The line (from 1) that is the first bad one. */
  readonly line: number;
  /** True when the file alone does not show it. */
  readonly needsDatabase?: true;
}

/** Line number of a byte. */
function lineAt(offset: number): number {
  let end = 0;
  const found = lines.findIndex((line) => (end += line.length) > offset);
  return found < 0 ? lines.length + 1 : found + 1;
}

const flip = fc.record({ at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }) }).map(({ at, xor }): Edit => {
  const bytes = Buffer.from(intact);
  const offset = at % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(offset) ^ xor, offset);
  return { bytes, line: lineAt(offset) };
});
const insert = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }).map(({ at, byte }): Edit => {
  let offset = at % intact.length;
  // A repeated byte is visible only after the run of equal bytes.
  while (intact[offset] === byte) offset += 1;
  const bytes = Buffer.concat([intact.subarray(0, offset), Buffer.from([byte]), intact.subarray(offset)]);
  return { bytes, line: lineAt(offset) };
});
const deletion = fc.nat().map((at): Edit => {
  const i = at % (lines.length - 1);
  return { bytes: Buffer.concat(lines.toSpliced(i, 1)), line: i + 1 };
});
const duplicate = fc.nat().map((at): Edit => {
  const i = at % lines.length;
  return { bytes: Buffer.concat(lines.toSpliced(i, 0, lines[i] ?? intact)), line: i + 2 };
});
const swap = fc.record({ a: fc.nat(), b: fc.nat() }).map(({ a, b }): Edit => {
  const [i, j] = [a % lines.length, b % lines.length];
  const [first, second] = i === j ? [0, 1] : [Math.min(i, j), Math.max(i, j)];
  const mixed = lines.with(first, lines[second] ?? intact).with(second, lines[first] ?? intact);
  return { bytes: Buffer.concat(mixed), line: first + 1 };
});
const cutTail = fc.nat().map((at): Edit => {
  const keep = at % lines.length;
  return { bytes: Buffer.concat(lines.slice(0, keep)), line: keep + 1, needsDatabase: true };
});
const tornTail = fc.nat().map((at): Edit => {
  // The cut is within a line: at its end it would be a cut tail.
  const offset = 1 + (at % (intact.length - 2));
  const end = intact[offset - 1] === 0x0a ? offset + 1 : offset;
  return { bytes: intact.subarray(0, end), line: lineAt(end - 1) };
});
/** A deliberate forgery: one line changed, and every later hash recomputed. */
const rewrite = fc.nat().map((at): Edit => {
  const i = at % (lines.length - 1);
  let previous: string | undefined;
  const forged = lines.map((line, n) => {
    if (n < i) return line;
    const { hash: _hash, ...fields } = JSON.parse(line.toString());
    if (n === i) fields.actor = 'token:somebody-else';
    if (previous !== undefined) fields.prev_hash = previous;
    const signed = JSON.stringify(fields).slice(0, -1);
    previous = createHash('sha256').update(signed).digest('hex');
    return Buffer.from(`${signed},"hash":"${previous}"}\n`);
  });
  // The last checkpoint has another hash, whose signature cannot be forged.
  return { bytes: Buffer.concat(forged), line: lines.length };
});

describe('an audit file', () => {
  it('is valid as it was written, with and without the database', async () => {
    expect(await check(intact, false)).toMatchObject({ ok: true, entries: lines.length });
    expect(await check(intact, true)).toMatchObject({ ok: true, checkpoints: 1 });
  });

  it(`shows every one of ${runs} random edits, and where it is [choices-3.94]`, async () => {
    const edits = fc.oneof(flip, insert, deletion, duplicate, swap, cutTail, tornTail, rewrite);
    await fc.assert(
      fc.asyncProperty(edits, async ({ bytes, line, needsDatabase }) => {
        const report = await check(bytes, true);
        expect(report.ok).toBe(false);
        expect(report.bad?.line).toBe(line);
        const alone = await check(bytes, false);
        // An empty file is not a chain; a shortened chain is one.
        if (needsDatabase === undefined || bytes.length === 0) expect(alone.ok).toBe(false);
        else expect(alone.ok).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('rewritten with another key is found by the key', async () => {
    await using other = await temporaryFolder();
    {
      await using audit = await openTestAudit({ folder: other.path });
      await audit.trail.record(buildAuditEntry());
    }
    const report = await check(readFileSync(auditFileIn(other.path)), false);
    expect(report).toMatchObject({ ok: false, bad: { line: 1, reason: 'the chain names another signing key' } });
  });
});
