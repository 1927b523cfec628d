// Reads the worker's config file, YAML or JSON, into named values.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { SettingsError } from './settings-error.ts';

const mapping = z.record(z.string(), z.unknown());

/**
 * The top-level keys of a config file. JSON is read as YAML, which contains it. An empty file has no keys.
 * @throws SettingsError when the file cannot be read or is not one mapping
 */
export async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`the config file cannot be read: ${why}`, { cause });
  });
  const value = parseYaml(path, text);
  const parsed = mapping.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  throw new SettingsError(`${path} is not a mapping: write lines like "server_url: http://127.0.0.1:8000"`);
}

function parseYaml(path: string, text: string): unknown {
  try {
    const value: unknown = parse(text);
    return value;
  } catch (cause) {
    const [firstLine = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new SettingsError(`${path} is neither YAML nor JSON: ${firstLine.replace(/:$/, '')}`, { cause });
  }
}
