// The clock of a file system, which may be another machine's.
import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The current time, in milliseconds since 1970, by the clock that stamps the files in `folder`. */
export async function diskTimeMs(folder: string): Promise<number> {
  const probe = join(folder, `now-${randomUUID()}`);
  await writeFile(probe, '');
  try {
    return (await stat(probe)).mtimeMs;
  } finally {
    await rm(probe, { force: true });
  }
}
