// docs/OPERATIONS.md is what the tables of operations say; `npm run docs` writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../src/http/operation.ts';
import { openHouse, type House } from './house.ts';

const path = new URL('../docs/OPERATIONS.md', import.meta.url);

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

it('the page of operations is current', async () => {
  const page = pageOf(house.service.operations);
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, page);
  expect(await readFile(path, 'utf8')).toBe(page);
});

function pageOf(operations: readonly Operation[]): string {
  const rows = operations
    .toSorted((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map((row) => {
      const demand = typeof row.permission === 'string' ? row.permission : row.permission.anyOf.join(' or ');
      const key = row.createsTask === true ? ' Takes `Idempotency-Key`.' : '';
      return `| ${row.method} | \`${row.path}\` | \`${demand}\` | \`${row.name}\` | ${row.summary}${key} |`;
    });
  return `# Operations

Generated from the tables under \`src/http/families\` by \`npm run docs\`; a test holds it to them. Every call needs
\`Authorization: Bearer <token>\`; \`GET /health\` alone does not.

| method | path | permission | name | what it does |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
