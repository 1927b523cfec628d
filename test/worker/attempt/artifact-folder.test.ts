// Files that an agent leaves in SWITCHYARD_ARTIFACTS become artifacts, whatever workspace it works in and whatever lies there.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import { reportInAnswer } from '../../../src/worker/attempt/report-block.ts';
import { artifactOf, diffOf, openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';

type Artifact = Extract<NewWorkerEvent, { type: 'artifact' }>;

const artifactsOf = ({ events }: RunFixture): Artifact[] =>
  events.flatMap((event) => (event.type === 'artifact' ? [event] : []));
const notesOf = ({ events }: RunFixture): string =>
  events.map((event) => (event.type === 'progress' ? (event.message ?? '') : '')).join('\n');

async function committed(): Promise<RunFixture> {
  const fixture = await openRunFixture();
  await fixture.write('kept.txt', 'kept\n');
  await fixture.git('add', '-A');
  await fixture.git('commit', '--quiet', '-m', 'first');
  return fixture;
}

const leave = `
echo changed > kept.txt
printf '{"summary": "done", "evidence": ["12 ms"], "progress": 40}' > "$SWITCHYARD_ARTIFACTS/okr-progress.json"
echo '# Notes' > "$SWITCHYARD_ARTIFACTS/notes.md"
printf '\\211PNG' > "$SWITCHYARD_ARTIFACTS/shot.png"
printf '{broken' > "$SWITCHYARD_ARTIFACTS/half.json"`;

const left = [
  { name: 'half', mime_type: 'application/json', text: '{broken' },
  { name: 'notes', mime_type: 'text/markdown', text: '# Notes\n' },
  { name: 'okr-progress', mime_type: 'application/json', data: { summary: 'done', evidence: ['12 ms'], progress: 40 } },
  { name: 'shot', mime_type: 'image/png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64') },
].map((artifact) => ({ type: 'artifact', ...artifact }));

describe('files that an agent leaves', () => {
  test('in a worktree are artifacts, and in no diff and no branch, even if it commits everything [platform-10.1, platform-10.2, platform-10.3]', async () => {
    await using fixture = await committed();
    const block = `${leave}\ngit add -A\ngit -c user.name=a -c user.email=a@b commit -qm mine\ngit show --stat`;
    const outcome = await fixture.execute(
      { prompt: shellPrompt(block) },
      { binding: { codebaseId: 'c', path: fixture.repo, mode: 'worktree' } },
    );
    expect(outcome.status).toBe('completed');
    expect(artifactsOf(fixture)).toEqual(left);
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'kept.txt' }]);
    const branch = await fixture.git('for-each-ref', '--format=%(refname)', 'refs/heads/switchyard');
    expect(await fixture.git('ls-tree', '-r', '--name-only', branch)).toBe('kept.txt');
  });

  test('in place are taken out of the folder, and what was there before stays [platform-10.2, platform-10.3]', async () => {
    await using fixture = await committed();
    await fixture.write('.switchyard/artifacts/earlier.md', 'earlier');
    const outcome = await fixture.execute({ prompt: shellPrompt(leave) });
    expect(artifactsOf(fixture)).toEqual(left);
    expect(diffOf(outcome).toString()).not.toContain('.switchyard');
    expect(await readdir(join(fixture.repo, '.switchyard/artifacts'))).toEqual(['.gitignore', 'earlier.md']);
    await using plain = await openRunFixture({ repository: false });
    await plain.execute({ prompt: shellPrompt(leave) });
    expect(artifactsOf(plain)).toEqual(left);
    expect(await readdir(plain.repo)).toEqual(['kept.txt']);
  });

  test('that cannot be artifacts stay, and the log says why [platform-10.3]', async () => {
    await using fixture = await committed();
    const block = `cd "$SWITCHYARD_ARTIFACTS"
for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do echo $i > "n$i.txt"; done
head -c 1048577 /dev/zero > big.bin
head -c 1048576 /dev/zero > all.bin
echo mine > diff.txt
mkdir a-folder
mkfifo a-pipe
ln -s ../../kept.txt a-link.txt`;
    await fixture.execute({ prompt: shellPrompt(block) });
    const names = artifactsOf(fixture).map(({ name }) => name);
    expect(names).toEqual(['all', ...Array.from({ length: 19 }, (_, at) => `n${at + 10}`)]);
    for (const why of [
      'big.bin (larger than 1 MiB)',
      'diff.txt (its name is reserved)',
      'a-folder (not a file)',
      'a-pipe (not a file)',
      'a-link.txt (not a file)',
      'n30.txt (more than 20 files)',
    ]) {
      expect(notesOf(fixture)).toContain(why);
    }
    expect(await readdir(join(fixture.repo, '.switchyard/artifacts'))).toContain('n30.txt');
  });

  test('cannot be put or read outside of the workspace by a link', async () => {
    await using fixture = await committed();
    const outside = join(fixture.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await symlink(outside, join(fixture.repo, '.switchyard'));
    const outcome = await fixture.execute({ prompt: shellPrompt('echo "<$SWITCHYARD_ARTIFACTS>"') });
    expect([outcome.status, fixture.output('stdout')]).toEqual(['completed', '<>\n']);
    expect(await readdir(outside)).toEqual(['secret.txt']);
    await using swapping = await committed();
    const swap = `rm -r "$SWITCHYARD_ARTIFACTS" && ln -s "${outside}" "$SWITCHYARD_ARTIFACTS"`;
    expect((await swapping.execute({ prompt: shellPrompt(swap) })).status).toBe('completed');
    expect(artifactsOf(swapping)).toEqual([]);
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(notesOf(swapping)).toContain('could not be read');
  });
});

describe('a report at the end of an answer', () => {
  const block = (text: string): string => `Done.\n\n\`\`\`okr-progress\n${text}\n\`\`\`\n`;

  test('becomes the artifact, unless a file was left [platform-10.4]', async () => {
    await using fixture = await committed();
    const printed = `printf '%s\\n' '\`\`\`okr-progress' '{"summary": "reported", "evidence": []}' '\`\`\`'`;
    const outcome = await fixture.execute({
      prompt: shellPrompt(printed)
        .replace('```sh', '````sh')
        .replace(/```\n$/, '````\n'),
    });
    expect(artifactOf(outcome, 'okr-progress')).toEqual({
      name: 'okr-progress',
      mime_type: 'application/json',
      data: { summary: 'reported', evidence: [] },
    });
    await using both = await committed();
    const file = `printf '{"summary": "left", "evidence": []}' > "$SWITCHYARD_ARTIFACTS/okr-progress.json"`;
    const second = await both.execute({
      prompt: shellPrompt(`${file}\n${printed}`)
        .replace('```sh', '````sh')
        .replace(/```\n$/, '````\n'),
    });
    expect(artifactOf(second, 'okr-progress')).toBeUndefined();
    expect(artifactsOf(both)).toMatchObject([{ data: { summary: 'left' } }]);
  });

  test('is the last block, whole, as data where the database can store it', () => {
    expect(reportInAnswer(`${block('{"summary": "first"}')}${block('{"summary": "last"}')}`)).toMatchObject({
      data: { summary: 'last' },
    });
    expect(reportInAnswer(block('not json'))).toMatchObject({ text: 'not json' });
    expect(reportInAnswer(block('{"summary": "\\u0000"}'))).toMatchObject({ text: '{"summary": "\\u0000"}' });
    expect(reportInAnswer(block('{"summary": "\\ud800"}'))).toMatchObject({ text: '{"summary": "\\ud800"}' });
    expect(reportInAnswer('```okr-progress\n{"summary": "cut off"}')).toBeUndefined();
    expect(reportInAnswer('```json\n{"summary": "other"}\n```')).toBeUndefined();
  });
});
