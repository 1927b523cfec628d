// Reads the service's config file, YAML or JSON, into named values.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';

/** The file that is read when none is named, where it exists. */
export const defaultConfigFile = 'switchyard.yaml';

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const mapping = z.record(z.string(), z.unknown());

/**
 * The file's top-level keys; JSON is read as YAML, which contains it.
 * @param named the file that must be there; without one, `switchyard.yaml` in `cwd` if it is there
 * @throws ConfigError
 */
export async function readConfigFile(named: string | undefined, cwd: string): Promise<ConfigFile | undefined> {
  const file = path.resolve(cwd, named ?? defaultConfigFile);
  const content = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (named === undefined && cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new ConfigError(`The config file cannot be read: ${messageOf(cause)}`, { cause });
  });
  if (content === undefined) return undefined;
  const parsed = mapping.safeParse(parseYaml(file, content) ?? {});
  if (!parsed.success) throw new ConfigError(`${file} is not a mapping: write lines like "port: 8000"`);
  return { path: file, values: parsed.data };
}

function parseYaml(file: string, content: string): unknown {
  try {
    const value: unknown = parse(content, { prettyErrors: false });
    return value;
  } catch (cause) {
    // Without the excerpt that pretty errors have: the line may hold a secret.
    throw new ConfigError(`${file} is neither YAML nor JSON: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n', 1)[0] ?? text;
}
