// The version of this program, from its package.json.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** @param root the package's folder @throws when there is no package.json with a version */
export async function readVersion(root: string): Promise<string> {
  return manifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))).version;
}
