// Daemons that shed all by which a run's processes are known (session, parent, environment, descriptors, name, folder): by
// each means of keeping them, none outlives its run, and the program runs as it would alone.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/worker/attempt/execute.ts';
import { runChild, type ChildEnd } from '../../src/worker/process/child.ts';
import { removeGroup } from '../../src/worker/process/cgroup.ts';
import { containRun, treeOf, releaseRun, type Containment } from '../../src/worker/process/containment.ts';
import { findContainment, tryGroup, trySubreaper } from '../../src/worker/process/find-containment.ts';
import { continueRun, stopRun } from '../../src/worker/process/kill.ts';
import { isAlive, type ProcessIdentity } from '../../src/worker/process/identity.ts';
import { createGit } from '../../src/worker/workspace/git/git.ts';
import { sweepRuns } from '../../src/worker/workspace/run-folder.ts';
import { until } from '../support/until.ts';
import { openScene, shell, type Scene } from './scene.ts';

const env = { PATH: process.env['PATH'], HOME: '/' };
const none = (why: string) => (): Promise<string> => Promise.reject(new Error(why));

/** The means that this machine offers, each by itself. */
const offered: [string, Containment][] = [];
for (const trials of [
  { cgroup: tryGroup, subreaper: none('not asked') },
  { cgroup: none('not asked'), subreaper: () => trySubreaper(env) },
]) {
  const { containment } = await findContainment(env, trials);
  // A group of this test's own to make groups in: other workers may be at work on this machine.
  if (containment.kind === 'cgroup') containment.parent = join(containment.parent, `switchyard-test-${randomUUID()}`);
  if (containment.kind !== 'none') offered.push([containment.kind, containment]);
}

/**
 * Perl of a daemon: forks twice, leaves session, folder, descriptors and name behind, does not heed SIGTERM, and leaves
 * its id and its start in a file. It ends by itself after two minutes.
 */
const daemon = `use POSIX;
my ($file) = @ARGV; exit if fork; POSIX::setsid(); exit if fork; chdir "/"; $SIG{TERM} = "IGNORE"; %ENV = ();
open(my $stat, "<", "/proc/self/stat"); my ($start) = <$stat> =~ /\\) (?:\\S+ ){19}(\\d+)/;
open(my $out, ">", "$file.new"); print $out "{\\"pid\\":$$,\\"start\\":\\"$start\\"}"; close $out; rename "$file.new", $file;
POSIX::close($_) for 0 .. 64; $0 = "[kworker/7:1]"; my $left = 1200; select(undef, undef, undef, 0.1) while $left--;`;

/** Shell lines that start it with nothing in its environment, and wait until it stands. */
function leave(scene: Pick<Scene, 'root'>, name = 'daemon'): string {
  const file = join(scene.root, name);
  return [
    `env -i setsid -f perl "${scene.root}/daemon.pl" ${file}`,
    `while [ ! -e ${file} ]; do sleep 0.05; done`,
  ].join('\n');
}

async function planted(): Promise<Scene> {
  const scene = await openScene({ repository: false });
  await writeFile(join(scene.root, 'daemon.pl'), daemon);
  return scene;
}

async function left(scene: Scene, name = 'daemon'): Promise<ProcessIdentity> {
  await until('the daemon stands', () => existsSync(join(scene.root, name)));
  return JSON.parse(await readFile(join(scene.root, name), 'utf8'));
}

function groupsIn(containment: Containment): string[] {
  if (containment.kind !== 'cgroup') return [];
  return readdirSync(containment.parent).filter((name) => name.startsWith('switchyard-run-'));
}

function stateOf(pid: number): string | undefined {
  return /^\d+ \(.*\) (\S)/s.exec(readQuietly(pid, 'stat'))?.[1];
}

function readQuietly(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

afterAll(async () => {
  for (const [, containment] of offered) if (containment.kind === 'cgroup') await removeGroup(containment.parent);
});

it('this machine offers a means to keep daemons', () => {
  expect(offered.length > 0).toBe(process.platform === 'linux');
});

describe.each(offered)('kept by %s', (_, containment) => {
  async function abortedWith(reason: string): Promise<[Outcome, Scene, ProcessIdentity]> {
    const scene = await planted();
    const controller = new AbortController();
    const prompt = shell(`${leave(scene)}\necho up; sleep 1000`);
    const running = scene.execute({ prompt }, { containment, signal: controller.signal });
    await until('the agent is up', () => scene.output('stdout').includes('up'));
    const process = await left(scene);
    expect(await isAlive(process)).toBe(true);
    controller.abort(reason);
    return [await running, scene, process];
  }

  it.each(['cancelled', 'lease_lost', 'shutdown'])(
    'a daemon ends with a run that is ended by %s [choices-2.26]',
    async (reason) => {
      const [outcome, scene, daemonLeft] = await abortedWith(reason);
      await using _scene = scene;
      expect(outcome.status).toBe(reason === 'cancelled' ? 'cancelled' : 'pending');
      expect(await isAlive(daemonLeft)).toBe(false);
    },
  );

  it('a daemon ends with a run that ends by itself, and by its time limit', async () => {
    await using scene = await planted();
    const done = await scene.execute({ prompt: shell(`${leave(scene)}\necho done`) }, { containment });
    expect(done).toMatchObject({ status: 'completed', result: 'done' });
    expect(await isAlive(await left(scene))).toBe(false);
    const late = await scene.execute(
      { prompt: shell(`${leave(scene, 'late')}\nsleep 1000`) },
      { containment, timeoutMs: 4_000 },
    );
    expect(late).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(await isAlive(await left(scene, 'late'))).toBe(false);
    expect(groupsIn(containment)).toEqual([]);
  });

  it('a run does not end the daemon of another', async () => {
    await using scene = await planted();
    const controller = new AbortController();
    const first = scene.execute(
      { prompt: shell(`${leave(scene)}\nsleep 1000`) },
      { containment, signal: controller.signal },
    );
    const process = await left(scene);
    await mkdir(join(scene.root, 'other'));
    const workplace = { codebaseId: 'd', path: join(scene.root, 'other'), mode: 'in_place' } as const;
    const other = await scene.execute({ prompt: shell('echo other') }, { containment, workplace });
    expect(other).toMatchObject({ status: 'completed' });
    expect(await isAlive(process)).toBe(true);
    controller.abort('cancelled');
    await first;
    expect(await isAlive(process)).toBe(false);
  });

  it('what forks while it is ended ends too', async () => {
    await using scene = await planted();
    const controller = new AbortController();
    // Every process starts its successor before it ends, 3,000 times at most; eight such lines at once.
    const line = join(scene.root, 'line.pl');
    await writeFile(
      line,
      `$SIG{TERM} = "IGNORE"; $SIG{CHLD} = "IGNORE"; for (1 .. 3000) { exit if fork; select(undef, undef, undef, 0.02) }`,
    );
    const prompt = shell(
      `for i in 1 2 3 4 5 6 7 8; do env -i setsid -f perl ${line} ${scene.root}; done; echo up; sleep 1000`,
    );
    const running = scene.execute({ prompt }, { containment, signal: controller.signal });
    await until('the agent is up', () => scene.output('stdout').includes('up'));
    controller.abort('cancelled');
    await running;
    const pids = readdirSync('/proc').map(Number).filter(Boolean);
    const found = pids.filter((pid) => readQuietly(pid, 'cmdline').includes(line) && stateOf(pid) !== 'Z');
    expect(found).toEqual([]);
  });

  it('a pause stops the daemon too, and it goes on; a run that is ended while it is paused ends', async () => {
    await using scene = await planted();
    const contained = containRun(containment, `pause-${globalThis.process.pid}`);
    const tree = treeOf(contained);
    const controller = new AbortController();
    const running = runIn(scene, contained, ['sh', '-c', `${leave(scene)}\nsleep 1000`], controller.signal);
    const process = await left(scene);
    const { pid } = process;
    expect(await stopRun(tree)).toBe('stopped');
    expect(stateOf(pid)).toBe('T');
    continueRun(tree);
    await until('it goes on', () => stateOf(pid) !== 'T');
    await stopRun(tree);
    controller.abort();
    expect((await running).exit).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    expect(await isAlive(process)).toBe(false);
    await releaseRun(tree);
  });

  it('a worker that was killed leaves them to the next one, which ends them', async () => {
    await using scene = await planted();
    const given = {
      containment,
      prompt: shell(`${leave(scene)}\nsleep 1000`),
      path: scene.repo,
      stateDir: scene.stateDir,
    };
    const program = join(import.meta.dirname, 'processes/run-once.ts');
    const worker = spawn(globalThis.process.execPath, [program, JSON.stringify(given)], {
      env: scene.env,
      stdio: 'ignore',
    });
    const ended = once(worker, 'exit');
    const daemonLeft = await left(scene);
    worker.kill('SIGKILL');
    await ended;
    expect(await isAlive(daemonLeft)).toBe(true);
    const git = createGit({ env: scene.env, deadlineMs: 60_000 });
    expect(await sweepRuns({ stateDir: scene.stateDir, git, killGraceMs: 100 })).toBe(1);
    expect(await isAlive(daemonLeft)).toBe(false);
    expect(groupsIn(containment)).toEqual([]);
  });

  it('a program runs as it would alone', async () => {
    await using scene = await planted();
    const facts = `[ -t 0 ] && echo tty; pwd; env | sort; cat; echo err >&2; sed 's/.*) . //' /proc/$$/stat | cut -d' ' -f2,3 | sed "s/$$/own/g"; trap; ls /proc/self/fd | wc -l`;
    const alone = await said(scene, { kind: 'none' }, ['sh', '-c', facts], 'words\nand more');
    expect(alone.text).toContain('own own');
    expect(await said(scene, containment, ['sh', '-c', facts], 'words\nand more')).toEqual(alone);
    for (const argv of [
      ['env'],
      ['sh', '-c', 'exit 7'],
      ['sh', '-c', 'kill -9 $$'],
      ['sh', '-c', 'kill -TERM $$'],
      ['sh', '-c', 'kill -USR1 $$'],
      [join(scene.root, 'not-there')],
      ['no-such-program-anywhere'],
      [join(scene.root, 'daemon.pl')],
    ] satisfies [string, ...string[]][]) {
      expect([argv, await said(scene, containment, argv)]).toEqual([argv, await said(scene, { kind: 'none' }, argv)]);
    }
  });

  it('a sandbox in it confines as ever', async () => {
    await using scene = await planted();
    const words = [
      'bwrap',
      '--unshare-user',
      '--unshare-pid',
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--',
      'sh',
      '-c',
      'echo $$',
    ];
    const [program = '', ...args] = words;
    expect(await said(scene, containment, [program, ...args])).toMatchObject({ exit: { kind: 'exited', code: 0 } });
  });
});

let runs = 0;

async function runIn(
  scene: Scene,
  contained: ReturnType<typeof containRun>,
  argv: [string, ...string[]],
  signal = new AbortController().signal,
  stdin?: string,
  take: (stream: string, text: string) => void = () => undefined,
): Promise<ChildEnd> {
  const all = { ...scene.env, SWITCHYARD_RUN: contained.tag, 'odd-name.x': 'kept' };
  const onText = (stream: string, text: string): Promise<void> => {
    take(stream, text);
    return Promise.resolve();
  };
  return runChild({ argv, cwd: scene.repo, env: all, contained, stdin, signal, killGraceMs: 300, onText });
}

/** What a program wrote, its run's own word left out, and how it ended. */
async function said(scene: Scene, containment: Containment, argv: [string, ...string[]], stdin?: string) {
  runs += 1;
  const contained = containRun(containment, `alone-${process.pid}-${runs}`);
  const texts = new Map<string, string>();
  const { exit } = await runIn(scene, contained, argv, undefined, stdin, (stream, text) =>
    texts.set(stream, (texts.get(stream) ?? '') + text),
  );
  await releaseRun(treeOf(contained));
  return {
    exit,
    text: JSON.stringify(['stdout', 'stderr'].map((stream) => texts.get(stream))).replaceAll(contained.tag, 'TAG'),
  };
}

describe.each(offered.filter(([kind]) => kind === 'subreaper'))('kept by %s', (_, containment) => {
  it('an agent that kills what its daemons fall to ends its own run by that', async () => {
    await using scene = await planted();
    const outcome = await scene.execute({ prompt: shell('kill -9 $PPID; sleep 1000') }, { containment });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent_exit' } });
    const pids = readdirSync('/proc').map(Number).filter(Boolean);
    expect(pids.filter((pid) => readQuietly(pid, 'environ').includes(scene.root) && stateOf(pid) !== 'Z')).toEqual([]);
  });
});

describe('what keeps daemons', () => {
  it('is the strongest means that works, and said in one line', async () => {
    const works = (value: string) => (): Promise<string> => Promise.resolve(value);
    const both = await findContainment(env, { cgroup: works('/groups'), subreaper: works('perl') });
    expect(both).toMatchObject({ containment: { kind: 'cgroup', parent: '/groups' }, remedy: '' });
    const second = await findContainment(env, { cgroup: none('read-only here'), subreaper: works('perl') });
    expect(second).toMatchObject({ containment: { kind: 'subreaper', perl: 'perl' }, remedy: '' });
    expect(second.found).toContain('read-only here');
    const neither = await findContainment(env, {
      cgroup: none('read-only here'),
      subreaper: none('perl is not there'),
    });
    expect(neither.containment).toEqual({ kind: 'none' });
    expect(neither.found).toMatch(/outlives its run.*read-only here.*perl is not there/);
    expect(neither.remedy).toContain('Delegate=yes');
    expect([both, second, neither].filter(({ found }) => found.includes('\n'))).toEqual([]);
  });

  it('is not perl where there is none', async () => {
    await expect(trySubreaper({ PATH: '/nowhere' })).rejects.toThrow('perl is not there');
  });

  it('ends nothing by a record that names what is no control group', async () => {
    await using scene = await planted();
    const bystander = spawn('sleep', ['120'], { stdio: 'ignore' });
    const ended = once(bystander, 'exit');
    const group = join(scene.root, 'switchyard-run-forged');
    await mkdir(group);
    await writeFile(join(group, 'cgroup.procs'), `${bystander.pid}\n`);
    const run = join(scene.stateDir, 'runs', 'forged');
    await mkdir(run, { recursive: true });
    await writeFile(join(run, 'run.json'), JSON.stringify({ pid: 1, start: '1', tag: 'forged', group }));
    const git = createGit({ env: scene.env, deadlineMs: 60_000 });
    expect(await sweepRuns({ stateDir: scene.stateDir, git, killGraceMs: 100 })).toBe(1);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill();
    await ended;
  });
});
