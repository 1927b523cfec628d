// Writes a file atomically, readable by this user only.
import { constants } from 'node:fs';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

/** Creates a file that must not exist yet; a secret that cannot be stored must not be used. @throws CliError */
export async function assertWritable(file: string): Promise<void> {
  await access(path.dirname(file), constants.W_OK).catch((cause: unknown) => {
    throw cannotWrite(file, cause);
  });
}

/** Replaces the file. @param mode 0600 unless others may read it @throws CliError when it cannot be written */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  try {
    // Written in a private folder beside the target: no name can collide, and the rename stays on one file system.
    const temporaryDir = await mkdtemp(path.join(path.dirname(file), '.switchyard-'));
    try {
      await writeFile(path.join(temporaryDir, 'file'), text, { mode, flag: 'wx', flush: true });
      await rename(path.join(temporaryDir, 'file'), file);
    } finally {
      await rm(temporaryDir, { recursive: true, force: true });
    }
  } catch (cause) {
    throw cannotWrite(file, cause);
  }
}

function cannotWrite(file: string, cause: unknown): CliError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CliError(exitCodes.usage, 'cannot_write', `${file} cannot be written: ${why}`, '', { cause });
}
