// Reads the worker's config file into named values.
import { ConfigFileError, readConfigMapping as readFile } from '../../lib/settings/file.ts';
import { SettingsError } from './settings-error.ts';

/** @throws SettingsError when the file does not exist, cannot be read, or is not one mapping */
export async function readWorkerConfigFile(path: string): Promise<Record<string, unknown>> {
  const values = await readFile(path, 'server_url: http://127.0.0.1:8000').catch((cause: unknown) => {
    throw cause instanceof ConfigFileError ? new SettingsError(cause.message, { cause }) : cause;
  });
  if (values === undefined) throw new SettingsError(`The config file cannot be read: there is no ${path}`);
  return values;
}
