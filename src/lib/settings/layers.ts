// Layers of given settings: flags over environment over config file, each value with its origin.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface SourcedValue {
  readonly value: unknown;
  /** For people: `flag --port`, `environment PORT`, `file /etc/switchyard.yaml`. */
  readonly origin: string;
  /** The folder against which relative paths of this value are resolved. */
  readonly base: string;
}

/** A raw value of one layer, under a setting's name or another key that stands for the setting. */
export interface Entry extends SourcedValue {
  readonly key: string;
}

export type SettingLayer<Name extends string> = ReadonlyMap<Name, SourcedValue>;

/** Builds the error of a settings table. */
type MakeError = (message: string, options?: ErrorOptions) => Error;

/** @param file a config file's absolute path and its top-level values; undefined: there is none */
export function fileEntries(
  file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | undefined,
): Entry[] {
  if (file === undefined) return [];
  const base = path.dirname(file.path);
  return Object.entries(file.values).map(([key, value]) => ({ key, value, origin: `file ${file.path}`, base }));
}

/** @param variables each key with its variable */
export function environmentEntries(
  variables: readonly (readonly [key: string, variable: string])[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Entry[] {
  return variables.flatMap(([key, variable]) => {
    const value = env[variable];
    // Shells and compose files set a variable to the empty string to leave it unset.
    return value === undefined || value === '' ? [] : [{ key, value, origin: `environment ${variable}`, base: cwd }];
  });
}

/** @param toOrigin the origin of a flag's key, for people */
export function flagEntries(
  { flags, cwd }: { readonly flags: Readonly<Record<string, unknown>>; readonly cwd: string },
  toOrigin: (key: string) => string,
): Entry[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, origin: toOrigin(key), base: cwd }],
  );
}

/**
 * @param read resolves an entry to its setting's name and value
 * @throws what `read` throws; the table's error for two entries of one setting
 */
export async function buildLayer<Name extends string>(
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<readonly [Name, unknown]> | readonly [Name, unknown],
  makeError: MakeError,
): Promise<SettingLayer<Name>> {
  const layer = new Map<Name, SourcedValue>();
  for (const entry of entries) {
    const [name, value] = await read(entry);
    const { origin, base } = entry;
    const existing = layer.get(name);
    if (existing !== undefined) throw makeError(`${name} is given twice: ${existing.origin} and ${origin}`);
    layer.set(name, { value, origin, base });
  }
  return layer;
}

/**
 * Reads the file that holds a secret.
 * @param label the setting or key that names the file, for the error
 * @throws the table's error when the file cannot be read
 */
export async function readSecretFile(
  label: string,
  { file, origin, base }: { readonly file: string; readonly origin: string; readonly base: string },
  makeError: MakeError,
): Promise<{ readonly path: string; readonly text: string }> {
  const resolved = path.resolve(base, file);
  try {
    return { path: resolved, text: await readFile(resolved, 'utf8') };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw makeError(`${label} (${origin}) cannot be read: ${why}`, { cause });
  }
}
