// Stores on disk which gates this worker found green or red at a base commit. runs-10.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';

export interface BaselineKey {
  readonly commit: string;
  readonly command: string;
  readonly setup: readonly string[];
}

export interface BaselineStore {
  /** @returns undefined: this worker has not run it there */
  find(key: BaselineKey): Promise<boolean | undefined>;
  keep(key: BaselineKey, passed: boolean): Promise<void>;
}

const entry = z.object({ passed: z.boolean() });

function nameOf({ command, setup }: BaselineKey): string {
  return `${sha256(JSON.stringify([command, setup]), 'hex')}.json`;
}

/** @param stateDir the worker's state folder */
export function openBaselineStore(stateDir: string): BaselineStore {
  const folderOf = ({ commit }: BaselineKey): string => join(stateDir, 'baselines', commit);
  return {
    async find(key) {
      const text = await readFile(join(folderOf(key), nameOf(key)), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      try {
        return entry.safeParse(JSON.parse(text)).data?.passed;
      } catch {
        return undefined;
      }
    },
    async keep(key, passed) {
      const path = join(folderOf(key), nameOf(key));
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, JSON.stringify({ passed }), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}
