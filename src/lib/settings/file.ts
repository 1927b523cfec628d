// Reads a config file, YAML or JSON, into named values.
import { z } from 'zod';
import { readIfPresent } from '../system/read-if-present.ts';

/** The file cannot be used. The message names the file and the reason, and quotes none of its content. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
}

const mapping = z.record(z.string(), z.unknown());

/**
 * The file's top-level keys. JSON is parsed as YAML, which is a superset of it. An empty file has no keys.
 * @param example a valid line of such a file, quoted in the error message
 * @returns undefined when the file does not exist
 * @throws ConfigFileError when the file cannot be read, or is not one mapping
 */
export async function readConfigMapping(path: string, example: string): Promise<Record<string, unknown> | undefined> {
  const text = await readIfPresent(path).catch((cause: unknown) => {
    throw new ConfigFileError(`The config file cannot be read: ${firstLine(cause)}`, { cause });
  });
  if (text === undefined) return undefined;
  const parsed = mapping.safeParse((await parseYaml(path, text)) ?? {});
  if (parsed.success) return parsed.data;
  throw new ConfigFileError(`${path} is not a mapping: write lines like "${example}"`);
}

async function parseYaml(path: string, text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    // Pretty errors quote the line, which may hold a secret.
    const value: unknown = parse(text, { prettyErrors: false });
    return value;
  } catch (cause) {
    throw new ConfigFileError(`${path} is neither YAML nor JSON: ${firstLine(cause)}`, { cause });
  }
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return (text.split('\n', 1)[0] ?? text).replace(/:$/, '');
}
