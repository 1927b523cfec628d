// Checks an unpacked base backup against its manifest: every file, byte for byte.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { sha256 } from '../../../../lib/digest.ts';
import { tryParseJson } from '../../../../lib/json/json-text.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';
import { BackupError } from '../archive/backup-error.ts';

const manifestShape = z.object({
  Files: z.array(
    z.object({
      Path: z.string().optional(),
      'Encoded-Path': z.string().optional(),
      Size: z.int(),
      'Checksum-Algorithm': z.literal('SHA256'),
      Checksum: z.string(),
    }),
  ),
  'Manifest-Checksum': z.string(),
});

/** The last line, which the hash of the manifest does not cover. */
const checksumLine = /^"Manifest-Checksum": "[0-9a-f]{64}"\}\n?$/m;

/** @throws BackupError base_damaged */
export async function checkManifest(manifestFile: string, cluster: string): Promise<void> {
  const text = await readFile(manifestFile, 'utf8');
  const manifest = manifestShape.safeParse(tryParseJson(text)).data;
  const end = text.search(checksumLine);
  if (manifest === undefined || end < 0 || sha256(text.slice(0, end), 'hex') !== manifest['Manifest-Checksum']) {
    throw baseDamaged('its manifest is not as it was written');
  }
  for (const { Path: plain, 'Encoded-Path': encoded, Size: size, Checksum: checksum } of manifest.Files) {
    const name = plain ?? Buffer.from(encoded ?? '', 'hex').toString();
    const hash = await hashOf(path.join(cluster, name));
    if (hash?.bytes !== size || hash.sha256 !== checksum) throw baseDamaged(`its file ${name} does not match its hash`);
  }
}

export function baseDamaged(reason: string, cause?: unknown): BackupError {
  return new BackupError(
    'base_damaged',
    `The base backup is damaged: ${reason}.`,
    'Restore to a moment before it was taken (--to), which an earlier base backup covers.',
    { cause },
  );
}

async function hashOf(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
