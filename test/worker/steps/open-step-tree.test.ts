// The clean working tree of a step: the commit and nothing else of the user's machine.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openStepTree } from '../../../src/worker/steps/open-step-tree.ts';
import { openRunFixture, readFiles, type RunFixture } from '../../support/worker/run-fixture.ts';
import { buildStep, openTestContext, readUserState } from '../../support/worker/step-fixture.ts';

const run = promisify(execFile);

async function commitOf(fixture: RunFixture): Promise<string> {
  await fixture.write('a.txt', 'a\n');
  await fixture.write('.gitignore', '*.local\nnode_modules\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  return fixture.git('rev-parse', 'HEAD');
}

describe('the working tree of a step', () => {
  test('has the files of the commit, without uncommitted ones', async () => {
    await using fixture = await openRunFixture();
    const commit = await commitOf(fixture);
    await fixture.write('a.txt', 'changed\n');
    await fixture.write('new.txt', 'new\n');
    await fixture.git('add', 'new.txt');
    const before = await readUserState(fixture);
    await using context = await openTestContext(fixture, buildStep());
    {
      await using tree = await openStepTree(context, { commit });
      expect(Object.keys(await readFiles(tree.path))).toEqual(['.gitignore', 'a.txt']);
      expect((await run('git', ['status', '--porcelain'], { cwd: tree.path, env: fixture.env })).stdout).toBe('');
      const log = await run('git', ['log', '--format=%H %s'], { cwd: tree.path, env: fixture.env });
      expect(log.stdout).toBe(`${commit} first\n`);
      expect(await tree.writeTree()).toBe(await fixture.git('rev-parse', 'HEAD^{tree}'));
    }
    expect(await readUserState(fixture)).toEqual(before);
  });

  test('stores new and changed files, and leaves out ignored, copied and named ones', async () => {
    await using fixture = await openRunFixture();
    const commit = await commitOf(fixture);
    await fixture.write('config.copied', 'secret\n');
    await using context = await openTestContext(fixture, buildStep());
    await using tree = await openStepTree(context, { commit, copy: ['config.copied', 'missing'] });
    expect(await readFile(join(tree.path, 'config.copied'), 'utf8')).toBe('secret\n');
    await writeFile(join(tree.path, 'b.txt'), 'b\n');
    await writeFile(join(tree.path, 'x.local'), 'ignored\n');
    await writeFile(join(tree.path, 'progress.txt'), 'notes\n');
    await mkdir(join(tree.path, '.switchyard'));
    await writeFile(join(tree.path, '.switchyard/progress.txt'), 'notes\n');
    const commitIt =
      'git add -Af; git -c user.name=a -c user.email=a@b commit -qm own; git branch other; git config x.y z';
    await run('sh', ['-c', commitIt], { cwd: tree.path, env: fixture.env });
    const id = await tree.writeTree(['progress.txt']);
    expect(await fixture.git('ls-tree', '-r', '--name-only', id)).toBe('.gitignore\na.txt\nb.txt');
    expect(await fixture.git('branch', '--list')).not.toContain('other');
    expect(await fixture.git('config', '--list')).not.toContain('x.y');
  });

  test('leaves out a copied file whose folder an agent has made a link, and odd names', async () => {
    await using fixture = await openRunFixture();
    const commit = await commitOf(fixture);
    for (const path of ['env/test', '*', 'b\\c[d]']) await fixture.write(path, 'x\n');
    await using context = await openTestContext(fixture, buildStep());
    await using tree = await openStepTree(context, { commit, copy: ['env/test', '*', 'b\\c[d]', 'env'] });
    const before = await fixture.git('rev-parse', 'HEAD^{tree}');
    expect(await tree.writeTree()).toBe(before);
    await run('sh', ['-c', 'rm -r env; ln -s /tmp env; echo y > bcd'], { cwd: tree.path });
    expect(await fixture.git('ls-tree', '-r', '--name-only', await tree.writeTree())).toBe(
      '.gitignore\na.txt\nbcd\nenv',
    );
  });

  test('runs no hook and no filter, and reads nothing of .git/info', async () => {
    await using fixture = await openRunFixture();
    const commit = await commitOf(fixture);
    const mark = join(fixture.root, 'ran');
    await fixture.git('config', 'filter.bad.smudge', `sh -c 'touch ${mark}; cat'`);
    await fixture.git('config', 'filter.bad.clean', `sh -c 'touch ${mark}; cat'`);
    await fixture.write('.git/info/attributes', '* filter=bad\n');
    await fixture.write('.git/info/exclude', 'b.txt\n');
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
      await fixture.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`);
      await chmod(join(fixture.repo, '.git/hooks', hook), 0o755);
    }
    await using context = await openTestContext(fixture, buildStep());
    await using tree = await openStepTree(context, { commit });
    await writeFile(join(tree.path, 'b.txt'), 'b\n');
    const id = await tree.writeTree();
    expect(await fixture.git('ls-tree', '-r', '--name-only', id)).toContain('b.txt');
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });

  test('copies nothing through a link, on either side', async () => {
    await using fixture = await openRunFixture();
    const outside = join(fixture.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'key'), 'key\n');
    await fixture.write('plain/x', 'x\n');
    await symlink(outside, join(fixture.repo, 'linked'));
    await fixture.git('add', 'linked');
    await fixture.git('commit', '--quiet', '-m', 'a link');
    const commit = await fixture.git('rev-parse', 'HEAD');
    await symlink(join(outside, 'key'), join(fixture.repo, 'plain/y'));
    await using context = await openTestContext(fixture, buildStep());
    await using tree = await openStepTree(context, {
      commit,
      copy: ['linked/key', 'plain', '../outside/key', '.git/config'],
    });
    expect(Object.keys(await readFiles(tree.path))).toEqual(['linked', 'plain/x']);
    expect(await readFiles(outside)).toEqual({ key: Buffer.from('key\n').toString('base64') });
  });
});
