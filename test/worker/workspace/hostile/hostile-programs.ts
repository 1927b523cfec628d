// Repositories that name a program in every way git knows, as data: what an agent plants, and the plain git that starts it.

export interface HostileRepository {
  name: string;
  /**
   * A shell script in the workspace, where `a.txt` is tracked. `$FIRE` is the program: it leaves a marker and passes its
   * input on; `$END` leaves one and ends. `$GIT` is the repository's own folder, `$SECRET` a folder that the agent must not see.
   */
  plant: string;
  /** A shell script in the same place, after `a.txt` was changed: plain git does what the plant is there for. */
  probe: string;
  /** The objects of the folder's own repository are out of reach after it: a run in place has no diff. */
  loses?: 'objects';
}

const nested = (config: string): string => `
mkdir nested && cd nested && git init -q . && echo n > n.txt && git add . && git commit -qm n && cd ..
git add nested 2>/dev/null && git commit -qm nested
cd nested && touch -d 2001-01-01 n.txt && ${config} && cd ..`;

const filter = (how: string): string =>
  `echo "* filter=evil" > .gitattributes && git config filter.evil.${how} "$FIRE"`;
const hook = (name: string): string => `mkdir -p "$GIT/hooks" && cp "$FIRE" "$GIT/hooks/${name}"`;
const fsmonitor = 'git config core.fsmonitor "$FIRE"';
const fake = `mkdir fake && git clone -q --bare . fake/git && git --git-dir=fake/git config core.bare false`;

export const hostilePrograms: HostileRepository[] = [
  { name: 'a clean filter', plant: filter('clean'), probe: 'git add -A' },
  { name: 'a smudge filter', plant: filter('smudge'), probe: 'rm a.txt; git checkout -- a.txt' },
  { name: 'a filter process', plant: filter('process'), probe: 'git add -A || true' },
  {
    name: 'a required filter in the attributes of the repository',
    plant: `mkdir -p "$GIT/info" && echo "* filter=evil" > "$GIT/info/attributes" &&
      git config filter.evil.required true && git config filter.evil.clean "$FIRE"`,
    probe: 'git add -A',
  },
  {
    name: 'a filter by an attributes file that the configuration names',
    plant: `echo "* filter=evil" > mine && git config core.attributesFile "$PWD/mine" && git config filter.evil.clean "$FIRE"`,
    probe: 'git add -A',
  },
  {
    name: 'the filter of large files, under its usual name',
    plant: `mkdir sub && echo x > sub/x && echo "* filter=lfs" > sub/.gitattributes && git config filter.lfs.clean "$FIRE"`,
    probe: 'git add -A',
  },
  { name: 'a watcher', plant: fsmonitor, probe: 'git status' },
  {
    name: 'a watcher that the index knows of',
    plant: `${fsmonitor} && git update-index --fsmonitor; rm -f "$MARK"`,
    probe: 'git status',
  },
  {
    name: 'a watcher in an included file',
    plant: `printf '[core]\\n\\tfsmonitor = %s\\n' "$FIRE" > more && git config include.path "$PWD/more"`,
    probe: 'git status',
  },
  {
    name: 'a watcher in a file that is included on a condition',
    plant: `printf '[core]\\n\\tfsmonitor = %s\\n' "$FIRE" > more && git config 'includeIf.gitdir:/**.path' "$PWD/more"`,
    probe: 'git status',
  },
  {
    name: 'a watcher in the configuration of one working tree',
    plant: 'git config extensions.worktreeConfig true && git config --worktree core.fsmonitor "$FIRE"',
    probe: 'git status',
  },
  { name: 'a hook on the index', plant: hook('post-index-change'), probe: 'git add -A' },
  { name: 'a hook on refs', plant: hook('reference-transaction'), probe: 'git update-ref refs/heads/x HEAD' },
  { name: 'a hook on checkouts', plant: hook('post-checkout'), probe: 'git worktree add -q --detach ../other-$$' },
  { name: 'a hook on commits', plant: hook('pre-commit'), probe: 'git commit -qam x' },
  {
    name: 'hooks in a folder that the configuration names',
    plant: 'mkdir h && cp "$FIRE" h/reference-transaction && git config core.hooksPath "$PWD/h"',
    probe: 'git update-ref refs/heads/x HEAD',
  },
  { name: 'an external diff', plant: 'git config diff.external "$FIRE"', probe: 'git diff' },
  {
    name: 'a diff driver',
    plant: 'echo "* diff=evil" > .gitattributes && git config diff.evil.command "$FIRE"',
    probe: 'git diff',
  },
  {
    name: 'a conversion to text',
    plant: 'echo "* diff=evil" > .gitattributes && git config diff.evil.textconv "$FIRE"',
    probe: 'git diff',
  },
  {
    name: 'a signing program',
    plant: 'git config commit.gpgSign true && git config user.signingKey x && git config gpg.program "$END"',
    probe: 'git commit -qam x || true',
  },
  {
    name: 'a merge driver',
    plant: 'echo "* merge=evil" > .gitattributes && git config merge.evil.driver "$FIRE"',
    probe: `git stash -q && git checkout -qb one && echo 1 > a.txt && git commit -qam 1 &&
      git checkout -q - && echo 2 > a.txt && git commit -qam 2 && git merge -q one`,
  },
  {
    name: 'the program of a remote',
    plant: 'git config remote.origin.url "$PWD" && git config remote.origin.uploadpack "$END"',
    probe: 'git fetch origin || true',
  },
  {
    name: 'the program that ssh is, for every address',
    plant: 'git config core.sshCommand "$END" && git config url.ssh://nobody.invalid/.insteadOf file:///',
    probe: 'git fetch file:///x || true',
  },
  {
    name: 'a transport that is a command line, for every address',
    plant: `git config protocol.ext.allow always && git config url."ext::$END ".insteadOf file:///`,
    probe: 'git fetch file:///x || true',
  },
  {
    name: 'a proxy for git addresses',
    plant: 'git config core.gitProxy "$END" && git config url.git://nobody.invalid/.insteadOf file:///',
    probe: 'git fetch file:///x || true',
  },
  {
    name: 'a nested repository with a watcher',
    plant: nested('git config core.fsmonitor "$FIRE"'),
    probe: 'git add -A',
  },
  { name: 'a nested repository with a filter', plant: nested(filter('clean')), probe: 'git add -A' },
  {
    name: 'a submodule whose git folder the agent made',
    plant: `${nested('git config core.fsmonitor "$FIRE"')}
      printf '[submodule "nested"]\\n\\tpath = nested\\n\\turl = ./x\\n' > .gitmodules && git config submodule.nested.active true`,
    probe: 'git status',
  },
  {
    name: 'a link in place of the git folder',
    plant: `${fake} && git --git-dir=fake/git config core.fsmonitor "$FIRE" && mv .git .git-was && ln -s fake/git .git`,
    probe: 'git status',
  },
  {
    name: 'a file in place of the git folder',
    loses: 'objects',
    plant: `${fake} && git --git-dir=fake/git config core.worktree "$PWD" &&
      git --git-dir=fake/git config core.fsmonitor "$FIRE" && mv .git .git-was && echo "gitdir: $PWD/fake/git" > .git`,
    probe: 'git status',
  },
  {
    name: 'a common folder of its own',
    plant: `${fake} && git --git-dir=fake/git config core.fsmonitor "$FIRE" &&
      echo "$PWD/fake/git" > "$(git rev-parse --absolute-git-dir)/commondir"`,
    probe: 'git status',
  },
  {
    name: 'a bare repository in the tree, and in place of it',
    plant: `${fake} && git --git-dir=fake/git config core.worktree "$PWD" && git --git-dir=fake/git config core.fsmonitor "$FIRE"`,
    probe: 'cd fake/git && git status',
  },
];
