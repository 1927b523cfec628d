// Reads files that need not exist.
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** The text of a file; undefined when there is none. @throws any other failure to read it */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
