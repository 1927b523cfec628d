// syncFolder flushes an existing folder, and reports a missing one.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { syncFolder } from '../../../src/lib/system/sync-folder.ts';

it('a folder is synced, and a missing one is an error', async () => {
  await expect(syncFolder(tmpdir())).resolves.toBeUndefined();
  await expect(syncFolder(path.join(tmpdir(), 'no-such-folder'))).rejects.toMatchObject({ code: 'ENOENT' });
});
