// Prices of models: what an agent does not price itself is priced by the table, or by nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { priceUsage, readPrices, type PriceTable } from '../../../../src/worker/agents/prices/prices.ts';
import { workerFolder } from '../../../support/worker/local-worker.ts';

const table: PriceTable = {
  as_of: '2026-01-01',
  models: {
    'openai:small': { input: 1, cached: 0.1, output: 10 },
    'other:small': { input: 2, output: 20 },
    'acme:large': { input: 5, output: 25 },
  },
};
const usage = { input_tokens: 1_000_000, cached_tokens: 400_000, output_tokens: 100_000 };

describe('a usage', () => {
  it('keeps the price of its agent [runs-19.1]', () => {
    expect(priceUsage({ ...usage, cost_usd: 0.5 }, 'openai:small', table)).toMatchObject({
      cost_usd: 0.5,
      cost_source: 'agent',
    });
  });

  it.each([
    ['openai:small', 0.6 + 0.04 + 1],
    ['acme:large', 5 + 2.5],
    ['large', 5 + 2.5],
  ])('of %s is priced by the table [runs-19.1]', (model, dollars) => {
    const priced = priceUsage(usage, model, table);
    expect(priced.cost_usd).toBeCloseTo(dollars, 10);
    expect(priced.cost_source).toBe('table');
  });

  it.each(['unknown:model', 'small', undefined])('of %s has no price: never zero [runs-19.1]', (model) => {
    expect(priceUsage(usage, model, table)).toEqual({ ...usage, cost_source: 'none' });
  });

  it('without counted tokens has no price', () => {
    expect(priceUsage({ duration_ms: 5 }, 'openai:small', table)).toEqual({ duration_ms: 5, cost_source: 'none' });
  });
});

describe('a table of prices', () => {
  it('is bundled, with its day', async () => {
    const bundled = await readPrices(undefined);
    expect(bundled.as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(Object.keys(bundled.models).length).toBeGreaterThan(5);
  });

  it.each([
    ['no JSON', '{', /cannot be read/],
    ['a negative price', '{"as_of":"2026-01-01","models":{"a:b":{"input":-1,"output":1}}}', /models\.a:b\.input/],
    ['no day', '{"models":{}}', /as_of/],
    ['an unknown field', '{"as_of":"2026-01-01","models":{"a:b":{"input":1,"output":1,"extra":1}}}', /extra/],
  ])('with %s is refused with what to write', async (_what, text, message) => {
    await using folder = await workerFolder();
    const file = join(folder.path, 'prices.json');
    await writeFile(file, text);
    await expect(readPrices(file)).rejects.toThrow(message);
  });
});
