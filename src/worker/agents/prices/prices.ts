// The prices of models: a table that prices what an agent does not price itself. runs-19.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentUsage } from '../adapter/adapter.ts';
import { parseModel } from '../adapter/model-name.ts';

const amount = z.number().min(0).max(1_000_000);
/** US dollars for a million tokens. */
const price = z.strictObject({ input: amount, cached: amount.optional(), output: amount });
const table = z.strictObject({
  /** The day on which the prices were looked up. */
  as_of: z.iso.date(),
  /** By `provider:model`, or by the model's name alone. */
  models: z.record(z.string().min(1), price),
});

export type PriceTable = z.infer<typeof table>;

/** A file of prices that cannot be used; its message is one line for the operator. */
export class PricesUnreadable extends Error {
  override readonly name = 'PricesUnreadable';
}

const bundledTable = new URL('prices.json', import.meta.url);

/**
 * Reads a table of prices.
 * @param file an operator's file; undefined: the bundled table
 * @throws PricesUnreadable when it cannot be read or has another form
 */
export async function readPrices(file: string | undefined): Promise<PriceTable> {
  const label = `model_prices_file ${file ?? '(bundled)'}`;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file ?? bundledTable, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PricesUnreadable(`${label} cannot be read: ${why}`, { cause });
  }
  const parsed = table.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new PricesUnreadable(
    `${label}: ${where === '' ? '' : `${where}: `}${issue?.message ?? 'wrong form'}. Write {"as_of": "2026-01-31", "models": {"openai:gpt-5-mini": {"input": 0.25, "cached": 0.025, "output": 2}}}, in US dollars for a million tokens.`,
  );
}

/**
 * The usage with its cost: as the agent reports it, else by the table.
 * @param model the model that was used; undefined: unknown
 */
export function priceUsage(usage: AgentUsage, model: string | undefined, { models }: PriceTable): AgentUsage {
  if (usage.cost_usd !== undefined) return { ...usage, cost_source: 'agent' };
  const found = model === undefined ? undefined : findPrice(models, model);
  if (found === undefined || usage.input_tokens === undefined) return { ...usage, cost_source: 'none' };
  const cached = Math.min(usage.cached_tokens ?? 0, usage.input_tokens);
  const dollars =
    (usage.input_tokens - cached) * found.input +
    cached * (found.cached ?? found.input) +
    (usage.output_tokens ?? 0) * found.output;
  return { ...usage, cost_usd: dollars / 1_000_000, cost_source: 'table' };
}

/** By its whole name, else by its bare name; a bare name also finds the only entry with any provider. */
function findPrice(models: PriceTable['models'], model: string): z.infer<typeof price> | undefined {
  const { provider, model: name } = parseModel(model);
  if (provider !== undefined) return models[model] ?? models[name];
  const entries = Object.entries(models).filter(([each]) => each.endsWith(`:${name}`));
  return models[name] ?? (entries.length === 1 ? entries[0]?.[1] : undefined);
}
