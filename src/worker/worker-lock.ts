// Allows one worker per name on a machine: two would take each other's push channel away for ever.
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { tryParseJson } from '../lib/json/json-text.ts';
import { isAlive, ownIdentity } from '../lib/system/process-identity.ts';
import { errorCode } from '../lib/system/error-code.ts';
import { makeFolder } from '../lib/system/make-folder.ts';
import { readIfPresent } from '../lib/system/read-if-present.ts';

/** Another worker of this name is running. It may be about to end, so a retry can help. */
export class WorkerRunsAlready extends Error {
  override readonly name = 'WorkerRunsAlready';
}

const owner = z.object({ pid: z.int(), start: z.string() });

/**
 * Locks the worker's state folder until it is disposed of. The lock of a killed worker is taken over.
 * @throws WorkerRunsAlready when a living worker has it
 */
export async function lockState(stateDir: string): Promise<AsyncDisposable> {
  await makeFolder(stateDir, 0o700);
  const file = join(stateDir, 'worker.json');
  const ownText = JSON.stringify(await ownIdentity());
  while (!(await written(file, ownText))) {
    // Released just now, or damaged by a crash of the machine: either way nobody holds the lock.
    const other = owner.safeParse(tryParseJson((await readIfPresent(file)) ?? ''));
    if (other.success && (await isAlive(other.data))) {
      throw new WorkerRunsAlready(
        `a worker of this name is already running here (process ${other.data.pid}): set another worker_name (A2A_WORKER_NAME)`,
      );
    }
    await rm(file, { force: true });
  }
  return {
    async [Symbol.asyncDispose]() {
      await rm(file, { force: true });
    },
  };
}

/**
 * False when the file exists already. The link makes it appear with its content, so that no reader finds half of it.
 */
async function written(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
