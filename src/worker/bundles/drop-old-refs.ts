// Removes hidden refs that nobody used for a while: git may then drop the commits that only they kept.
import type { BundlePlace } from './send-bundle.ts';

const folders = ['refs/switchyard/runs', 'refs/switchyard/fetched'];

/** @param beforeMs refs go whose commit is older */
export async function dropOldRefs({ git, root }: BundlePlace, beforeMs: number): Promise<void> {
  const format = '--format=%(refname) %(objectname) %(committerdate:unix)';
  const { stdout } = await git.run(['for-each-ref', format, ...folders], { cwd: root });
  for (const line of stdout.toString().split('\n')) {
    const [ref = '', commit = '', seconds = ''] = line.split(' ');
    if (ref === '' || !(Number(seconds) * 1000 < beforeMs)) continue;
    // Another step may have moved or removed it just now.
    await git.run(['update-ref', '--no-deref', '-d', ref, commit], { cwd: root, expect: [0, 1, 128] });
  }
}
