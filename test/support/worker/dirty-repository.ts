// A repository that was dirty before the run, and a run that makes every kind of change in it.
import { readFiles, shellPrompt, type RunFixture } from './run-fixture.ts';

/** A repository with committed, staged, edited, untracked, deleted and ignored files. */
export async function dirtyRepository(fixture: RunFixture): Promise<void> {
  await fixture.write('edited.txt', 'one\ntwo\nthree\n');
  await fixture.write('deleted.txt', 'to be deleted\n');
  await fixture.write('old name.txt', 'a long enough text\nto be known again\nafter it moved\n');
  await fixture.write('script.sh', '#!/bin/sh\necho hi\n');
  await fixture.write('image.bin', Buffer.from([0, 1, 2, 255, 254, 0]));
  await fixture.write('kept.txt', 'kept\n');
  await fixture.write('gone-before.txt', 'gone\n');
  await fixture.write('.gitignore', 'ignored/\n*.log\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  await fixture.write('kept.txt', 'kept, but edited by the user\n');
  await fixture.write('staged.txt', 'staged by the user\n');
  await fixture.git('add', 'staged.txt');
  await fixture.write('untracked.txt', 'untracked\n');
  await fixture.write('ignored/cache', 'cache\n');
  await fixture.git('rm', '--quiet', '--cached', 'gone-before.txt');
}

/** A prompt that makes every kind of change. */
export const everyChange = shellPrompt(
  String.raw`
mkdir -p new/deep && printf 'created\n' > 'new/deep/created é.txt'
sed -i 's/two/zwei/' edited.txt
rm deleted.txt
mv 'old name.txt' 'new name.txt'
chmod +x script.sh
printf '\000\377\001binary' > image.bin
printf 'no newline at the end' > untracked.txt
ln -s kept.txt link
: > empty.txt
echo noise > noise.log
echo all done`.trim(),
);

/** The artifact `files` of them. */
export const expectedFiles = [
  { path: 'deleted.txt', status: 'deleted', added: 0, removed: 1 },
  { path: 'edited.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'empty.txt', status: 'added', added: 0, removed: 0 },
  { path: 'image.bin', status: 'modified', added: 0, removed: 0, binary: true },
  { path: 'link', status: 'added', added: 1, removed: 0 },
  { path: 'new name.txt', status: 'renamed', old_path: 'old name.txt', added: 0, removed: 0 },
  { path: 'new/deep/created é.txt', status: 'added', added: 1, removed: 0 },
  { path: 'script.sh', status: 'modified', added: 0, removed: 0 },
  { path: 'untracked.txt', status: 'modified', added: 1, removed: 1 },
];

/** The files of a folder that git does not ignore. */
export async function withoutIgnored(folder: string): Promise<Record<string, string>> {
  const files = await readFiles(folder);
  return Object.fromEntries(Object.entries(files).filter(([path]) => !/^ignored\/|\.log$/.test(path)));
}
