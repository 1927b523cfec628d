// Writes a file whole or not at all, for this user's eyes alone.
import { constants } from 'node:fs';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

/** For what is made only once: better no secret than one that nobody gets to see. @throws CliError */
export async function assertWritable(file: string): Promise<void> {
  await access(path.dirname(file), constants.W_OK).catch((cause: unknown) => {
    throw cannotWrite(file, cause);
  });
}

/** Replaces what is there. @param mode 0600 unless others may read it @throws CliError when it cannot be written */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  try {
    // In a folder of its own beside it: nobody else's file is in the way, and the rename stays on one disk.
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
