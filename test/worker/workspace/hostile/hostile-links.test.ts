// A corpus of repositories that lead to a folder which their agent must not see: no run shows what is in it.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { artifactOf, shellPrompt, buildRunTask } from '../../../support/worker/run-fixture.ts';
import { openHostileFixture, secretCanary, type HostileFixture } from './hostile-fixture.ts';

interface HostileLink {
  name: string;
  /** As in the corpus of programs, in a plain folder that the agent makes a repository. */
  plant: string;
  /** Prints the secret word with plain git. */
  probe: string;
}

const show = 'git log --all --format=%s --name-only HEAD';

const links: HostileLink[] = [
  {
    name: 'a working tree elsewhere',
    plant: 'git config core.worktree "$SECRET"',
    probe: 'git ls-files --others',
  },
  {
    name: 'a file in place of the git folder',
    plant: 'rm -rf .git && echo "gitdir: $SECRET/.git" > .git',
    probe: show,
  },
  { name: 'a link in place of the git folder', plant: 'rm -rf .git && ln -s "$SECRET/.git" .git', probe: show },
  {
    name: "another repository's common folder",
    plant: 'echo "$SECRET/.git" > .git/commondir && echo ref: refs/heads/main > .git/HEAD',
    probe: show,
  },
  {
    name: 'a forged linked worktree',
    plant: `mkdir -p fake/worktrees/w && cp .git/HEAD fake/worktrees/w/ && echo "$SECRET/.git" > fake/worktrees/w/commondir &&
      echo "$PWD/.git" > fake/worktrees/w/gitdir && echo ref: refs/heads/main > fake/worktrees/w/HEAD &&
      rm -rf .git && echo "gitdir: $PWD/fake/worktrees/w" > .git`,
    probe: show,
  },
  {
    name: 'borrowed objects and linked refs',
    plant: `mkdir -p .git/objects/info && echo "$SECRET/.git/objects" > .git/objects/info/alternates &&
      rm -rf .git/refs && ln -s "$SECRET/.git/refs" .git/refs && echo ref: refs/heads/main > .git/HEAD`,
    probe: show,
  },
  {
    name: 'borrowed objects, in quotes',
    plant: `mkdir -p .git/objects/info && echo "\\"$SECRET/.git/objects\\"" > .git/objects/info/alternates &&
      cp "$SECRET/.git/refs/heads/main" .git/refs/heads/main && echo ref: refs/heads/main > .git/HEAD`,
    probe: show,
  },
  {
    name: 'objects borrowed over a second repository',
    plant: `git init -q second && echo "$SECRET/.git/objects" > second/.git/objects/info/alternates &&
      echo "$PWD/second/.git/objects" > .git/objects/info/alternates &&
      cp "$SECRET/.git/refs/heads/main" .git/refs/heads/main && echo ref: refs/heads/main > .git/HEAD`,
    probe: show,
  },
  {
    name: 'linked objects',
    plant: `rm -rf .git/objects .git/refs && ln -s "$SECRET/.git/objects" .git/objects && ln -s "$SECRET/.git/refs" .git/refs &&
      echo ref: refs/heads/main > .git/HEAD`,
    probe: show,
  },
  {
    name: 'linked folders of objects',
    plant: `for one in "$SECRET"/.git/objects/??; do rm -rf ".git/objects/\${one##*/}"; ln -s "$one" .git/objects/; done &&
      rm -rf .git/refs/heads && ln -s "$SECRET/.git/refs/heads" .git/refs/heads && echo ref: refs/heads/main > .git/HEAD`,
    probe: show,
  },
  {
    name: 'a submodule that is another repository',
    plant: `printf '[submodule "s"]\\n\\tpath = s\\n\\turl = ./s\\n' > .gitmodules && mkdir s && echo "gitdir: $SECRET/.git" > s/.git &&
      git add s && git commit -qm s && git config diff.submodule log && git commit -q --allow-empty -m "$(git -C s log --format=%s)" &&
      git reset -q --soft HEAD^`,
    probe: 'git -C s log --format=%s',
  },
];

const [first, second] = ['1', '2'].map((n) => `01890000-0000-7000-8000-00000000000${n}`);

/** Everything that a caller gets of a run, and what the agent saw. */
async function visibleOutput(
  place: HostileFixture,
  mode: 'plain' | 'worktree',
  id: string | undefined,
): Promise<string> {
  const prompt = shellPrompt('cat .git; ls -a; cat *.txt; echo more > more.txt');
  const { fixture } = place;
  const workplace = { codebaseId: 'c', path: fixture.repo, mode: mode === 'plain' ? ('in_place' as const) : mode };
  // The branch that the plants point at what is not theirs.
  const metadata = mode === 'worktree' ? { git_base: 'main' } : {};
  const outcome = await fixture.execute({ id, prompt, metadata }, { binding: workplace });
  const bytes = (outcome.artifacts ?? []).map((artifact) => Buffer.from(artifact.bytes ?? '', 'base64').toString());
  return JSON.stringify([outcome, bytes, fixture.events]);
}

describe.each(links)('$name', ({ plant, probe }) => {
  test('shows the folder to plain git, and to no later run', async () => {
    await using place = await openHostileFixture('plain');
    expect((await place.run(`${plant}\ntrue`, { id: first })).status).toBe('completed');
    expect(await place.plainly(probe)).toContain(secretCanary);
    const [head, refs] = await Promise.all(
      ['rev-parse', 'for-each-ref'].map((subcommand) => stateOf(place, subcommand)),
    );
    for (const mode of ['plain', 'worktree'] as const)
      expect(await visibleOutput(place, mode, second)).not.toContain(secretCanary);
    // Nor does a run write there.
    expect([await stateOf(place, 'rev-parse'), await stateOf(place, 'for-each-ref')]).toEqual([head, refs]);
  });
});

function stateOf({ fixture, secret }: HostileFixture, subcommand: string): Promise<string> {
  return fixture.git('-C', secret, subcommand, ...(subcommand === 'rev-parse' ? ['HEAD'] : []));
}

test('a folder that the worker was bound to is no other one when a commit puts a link in its place', async () => {
  await using place = await openHostileFixture('worktree');
  const { fixture, secret } = place;
  const workplace = { codebaseId: 'c', path: join(fixture.repo, 'folder'), mode: 'worktree' as const };
  const plant = `cd .. && rm -r folder && ln -s ${secret} folder && echo SWITCHYARD_NEEDS_INPUT: on?`;
  expect(await fixture.execute({ prompt: shellPrompt(plant) }, { binding: workplace })).toMatchObject({
    status: 'needs_input',
  });
  const next = await fixture.execute({ prompt: shellPrompt('pwd -P; ls') }, { binding: workplace });
  expect(next).toMatchObject({ status: 'completed', result: expect.stringMatching(/\/work\/repo\n/) });
  expect(next.result).not.toContain(secretCanary);
});

test.each([
  ['a file', 'echo "gitdir: $SECRET/.git" > nested/.git'],
  ['a link', 'ln -s "$SECRET/.git" nested/.git'],
  ['linked refs', 'git init -q nested && rm -rf nested/.git/refs && ln -s "$SECRET/.git/refs" nested/.git/refs'],
])('a nested repository that is another one by %s says nothing of it', async (_, plant) => {
  await using place = await openHostileFixture('worktree');
  const { fixture, secret } = place;
  const id = await fixture.git('-C', secret, 'rev-parse', 'HEAD');
  const outcome = await place.run(
    `mkdir nested && ${plant}; git -C nested symbolic-ref HEAD refs/heads/main; echo b > a.txt`,
  );
  const branch = artifactOf(outcome, 'branch')?.data;
  expect(branch).toMatchObject({ files: 1 });
  expect(await fixture.git('ls-tree', '-r', `switchyard/${buildRunTask({}).id}`)).not.toContain(id);
});

test('a repository that borrowed objects before the worker came is worked in', async () => {
  await using place = await openHostileFixture('worktree');
  const { fixture } = place;
  const borrower = join(fixture.root, 'borrower');
  await fixture.git('clone', '--quiet', '--shared', fixture.repo, borrower);
  for (const mode of ['worktree', 'in_place'] as const) {
    const workplace = { codebaseId: 'c', path: borrower, mode };
    const outcome = await fixture.execute(
      { prompt: shellPrompt('echo b > a.txt; git log --format=%s') },
      { binding: workplace },
    );
    expect(outcome).toMatchObject({ status: 'completed', result: 'first' });
  }
});
