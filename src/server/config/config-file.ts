// Finds the service's config file, and reads it into named values.
import path from 'node:path';
import { ConfigFileError, readConfigMapping as readFile } from '../../lib/system/config-file.ts';
import { ConfigError } from './config-error.ts';

/** The file that is read when none is named, where it exists. */
const defaultConfigFile = 'switchyard.yaml';

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The file's top-level keys.
 * @param named the file that must be there; without one, `switchyard.yaml` in `cwd` if it is there
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
