// Pages of the audit over many copies: correct with any overlap, and the service reads no more lines than a page has.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRows } from '../../../../../src/adapters/postgres/store/rows/audit-rows.ts';
import type { AuditFilter } from '../../../../../src/domain/ports/store/store.ts';
import { cloneDatabase, type TestDatabase } from '../../../../support/database/database.ts';

const count = 30_000;
const linesOfCopy = 2_000;
let db: TestDatabase;
let client: pg.Client;
/** Lines in each answer of the database. */
let handed: number[] = [];

const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const lineOf = (n: number): Record<string, unknown> => ({
  id: idOf(n),
  timestamp: timeOf(n),
  actor: n % 1000 === 0 ? 'token:rare' : 'token:usual',
  action: 'tasks.create',
  resource: '/v1/agent/tasks',
  outcome: 'success',
  metadata: {},
  seq: n,
});

beforeAll(async () => {
  db = await cloneDatabase();
  client = new pg.Client(db.superuser);
  await client.connect();
  // Two chains that take turns, so that each copy overlaps with one of the other.
  for (const chain of [0, 1]) {
    const own = Array.from({ length: count / 2 }, (_, i) => i * 2 + chain + 1);
    for (let from = 0; from < own.length; from += linesOfCopy) {
      const numbers = own.slice(from, from + linesOfCopy);
      const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
      await client.query(
        `insert into audit_log (tenant_id, chain, first_seq, last_seq, last_hash, first_id, last_id, from_at, to_at, entries)
         values ('default', $1, $2, $3, '', $4, $5, $6, $7, $8)`,
        [
          `c${chain}`,
          first,
          last,
          idOf(first),
          idOf(last),
          timeOf(first),
          timeOf(last),
          JSON.stringify(numbers.map(lineOf)),
        ],
      );
    }
  }
  await client.query(`set role a2a_app; select set_config('app.current_tenant_id', 'default', false)`);
});
afterAll(async () => {
  await client.end();
  await db[Symbol.asyncDispose]();
});

const rows = auditRows({
  tenantId: 'default',
  async query(_name, text, values) {
    const answer = await client.query(text, [...values]);
    handed.push(answer.rows.reduce((sum, row) => sum + (row.events?.length ?? 0), 0));
    return answer.rows;
  },
});

async function page(
  filter: AuditFilter,
  limit: number,
  before?: number,
): Promise<{ ids: string[]; next: string | null }> {
  handed = [];
  const { events, next } = await rows.page(filter, { limit, before: before === undefined ? undefined : idOf(before) });
  expect(Math.max(...handed)).toBeLessThanOrEqual(limit + 1);
  return { ids: events.map(({ id }) => id), next };
}

const down = (from: number, length: number, step = 1): string[] =>
  Array.from({ length }, (_, i) => idOf(from - i * step));

describe('a page over 30,000 lines', () => {
  it('has the newest entries, and the service has read one line more than the page has', async () => {
    expect(await page({}, 50)).toEqual({ ids: down(count, 50), next: idOf(count - 49) });
    expect(await page({ outcome: 'success' }, 200)).toEqual({ ids: down(count, 200), next: idOf(count - 199) });
  });

  it('continues where the page before ended, to the first line', async () => {
    expect(await page({}, 50, 20_001)).toEqual({ ids: down(20_000, 50), next: idOf(19_951) });
    expect(await page({}, 50, 31)).toEqual({ ids: down(30, 30), next: null });
  });

  it('finds rare entries in all of them, also between two times', async () => {
    expect(await page({ actor: 'token:rare' }, 50)).toEqual({ ids: down(30_000, 30, 1000), next: null });
    const between = { actor: 'token:rare', from: timeOf(5_000), to: timeOf(8_000) };
    expect(await page(between, 50)).toEqual({ ids: down(7_000, 3, 1000), next: null });
  });
});
