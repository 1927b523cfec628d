// Reads the beginning of a file of a working tree, which an agent may have replaced by anything.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../../lib/system/error-code.ts';

const notAFile = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO', 'EISDIR'];

/** @returns at most `maxBytes`; '' where the path is missing, a link, or no regular file */
export async function readPlainFile(path: string, maxBytes: number): Promise<string> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) return '';
    const bytes = Buffer.alloc(maxBytes);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (notAFile.includes(errorCode(error) ?? '')) return '';
    throw error;
  }
}
