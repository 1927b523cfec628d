// Creates linked worktrees while others remove theirs.
import { mkdir, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { linkWorktree } from '../../../../src/worker/workspace/git/linked-worktree.ts';

test('a worktree is linked although the parent of all worktrees is removed meanwhile', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linked-')));
  try {
    const commonDir = join(root, '.git');
    await mkdir(commonDir);
    const worktrees = join(commonDir, 'worktrees');
    const over = new AbortController();
    // As the end of another attempt does it: only an empty folder goes.
    const remover = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await rmdir(worktrees).catch(() => undefined);
        await setTimeout(Math.random() * 2);
      }
    };
    const removers = Array.from({ length: 20 }, () => remover());
    const linked: string[] = [];
    for (let round = 0; round < 500; round += 1) {
      const name = `w${round}`;
      const { gitDir } = await linkWorktree(commonDir, { path: join(root, name), name, commit: 'a'.repeat(40) });
      linked.push(gitDir);
      await rm(gitDir, { recursive: true });
    }
    over.abort();
    await Promise.all(removers);
    expect(new Set(linked).size).toBe(500);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
