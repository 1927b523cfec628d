// src/client/api.ts is what the service's own OpenAPI document says; `npm run docs` writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { generateTypes } from 'switchyard-api-types';
import { expect, it } from 'vitest';
import { openService } from '../support/service.ts';

const path = new URL('../../src/client/api.ts', import.meta.url);
const head = `// Types of every call of the REST families: generated from the service's OpenAPI document by \`npm run docs\`.\n`;

it('the types of the client are what the document says', async () => {
  await using service = await openService();
  const { body } = await service.call('GET', '/openapi.json', { as: 'viewer' });
  const types = head + (await generateTypes(JSON.stringify(forClient(body))));
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, types);
  expect(await readFile(path, 'utf8')).toBe(types);
});

/** Without examples, which are no types, and without the A2A bindings, whose protocol has clients of its own. */
function forClient(document: { paths: Record<string, unknown> }): unknown {
  const kept = Object.entries(document.paths).filter(([name]) => !/^\/(a2a|v1\/a2a|v1\/card)(\/|$)/.test(name));
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(kept) });
  return JSON.parse(text, (key, value: unknown) => (key === 'example' ? undefined : value));
}
