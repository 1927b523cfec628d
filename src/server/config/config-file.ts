// Finds the service's config file and reads it into named values.
import path from 'node:path';
import { ConfigFileError, readConfigMapping as readFile } from '../../lib/settings/file.ts';
import { ConfigError } from './errors/config-error.ts';

/** Read when no file is named, if it exists. */
const defaultConfigFile = 'switchyard.yaml';

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads the file's top-level keys.
 * @param named a file that must exist; if undefined, `switchyard.yaml` in `cwd` if it exists
 * @throws ConfigError
 */
export async function readServiceConfigFile(named: string | undefined, cwd: string): Promise<ConfigFile | undefined> {
  const file = path.resolve(cwd, named ?? defaultConfigFile);
  const values = await readFile(file, 'port: 8000').catch((cause: unknown) => {
    throw cause instanceof ConfigFileError ? new ConfigError(cause.message, { cause }) : cause;
  });
  if (values !== undefined) return { path: file, values };
  if (named === undefined) return undefined;
  throw new ConfigError(`The config file cannot be read: there is no ${file}`);
}
