// The models that automation tasks may name: those of models.json, or an operator's file of the same form.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError } from '../errors/config-error.ts';

/** `provider:model`, each name once. */
export type ModelCatalogue = readonly [string, ...string[]];

const bundledCatalogue = new URL('models.json', import.meta.url);
const name = z.string().regex(/^[A-Za-z0-9][\w.-]*:[A-Za-z0-9][\w.:/@+[\]-]*$/);
const catalogue = z
  .tuple([name], name)
  .refine((models) => new Set(models).size === models.length && models.length <= 1000);

/**
 * Reads the catalogue. choices-3 "Automation list".
 * @param file an operator's file; undefined: the built-in one
 * @throws ConfigError when it cannot be read or is not a list of names
 */
export async function readModelCatalogue(file: string | undefined): Promise<ModelCatalogue> {
  const sourceLabel = `MODEL_CATALOGUE_FILE ${file ?? 'default'}`;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file ?? bundledCatalogue, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${sourceLabel} cannot be read: ${why}`, { cause });
  }
  const parsed = catalogue.safeParse(value);
  if (!parsed.success)
    throw new ConfigError(`${sourceLabel}: write a JSON array of different names, each "provider:model"`);
  return parsed.data;
}
