// Daemons that shed all by which a run's processes are known (session, parent, environment, descriptors, name, folder): by
// each means of keeping them, none outlives its attempt, and the program runs as it would alone.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { runChild, type ChildEnd } from '../../../src/worker/process/child.ts';
import { removeGroup } from '../../../src/worker/process/cgroup.ts';
import {
  containAttempt,
  toProcessTree,
  removeContainment,
  type Containment,
} from '../../../src/worker/process/containment.ts';
import { findContainment, tryGroup, trySubreaper } from '../../../src/worker/process/find-containment.ts';
import { resumeTree, suspendTree } from '../../../src/worker/process/kill.ts';
import { isAlive, type ProcessIdentity } from '../../../src/lib/system/process-identity.ts';
import { createGit } from '../../../src/worker/workspace/git/git.ts';
import { sweepAttempts } from '../../../src/worker/workspace/attempt-folder.ts';
import { until } from '../../support/until.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';

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
function leave(fixture: Pick<RunFixture, 'root'>, name = 'daemon'): string {
  const file = join(fixture.root, name);
  return [
    `env -i setsid -f perl "${fixture.root}/daemon.pl" ${file}`,
    `while [ ! -e ${file} ]; do sleep 0.05; done`,
  ].join('\n');
}

async function planted(): Promise<RunFixture> {
  const fixture = await openRunFixture({ repository: false });
  await writeFile(join(fixture.root, 'daemon.pl'), daemon);
  return fixture;
}

async function left(fixture: RunFixture, name = 'daemon'): Promise<ProcessIdentity> {
  await until('the daemon stands', () => existsSync(join(fixture.root, name)));
  return JSON.parse(await readFile(join(fixture.root, name), 'utf8'));
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
  async function abortedWith(reason: string): Promise<[TaskOutcome, RunFixture, ProcessIdentity]> {
    const fixture = await planted();
    const controller = new AbortController();
    const prompt = shellPrompt(`${leave(fixture)}\necho up; sleep 1000`);
    const running = fixture.execute({ prompt }, { containment, signal: controller.signal });
    await until('the agent is up', () => fixture.output('stdout').includes('up'));
    const process = await left(fixture);
    expect(await isAlive(process)).toBe(true);
    controller.abort(reason);
    return [await running, fixture, process];
  }

  it.each(['cancelled', 'lease_lost', 'shutdown'])(
    'a daemon ends with a run that is ended by %s [choices-2.26]',
    async (reason) => {
      const [outcome, fixture, daemonLeft] = await abortedWith(reason);
      await using _fixture = fixture;
      expect(outcome.status).toBe(reason === 'cancelled' ? 'cancelled' : 'pending');
      expect(await isAlive(daemonLeft)).toBe(false);
    },
  );

  it('a daemon ends with a run that ends by itself, and by its time limit', async () => {
    await using fixture = await planted();
    const done = await fixture.execute({ prompt: shellPrompt(`${leave(fixture)}\necho done`) }, { containment });
    expect(done).toMatchObject({ status: 'completed', result: 'done' });
    expect(await isAlive(await left(fixture))).toBe(false);
    const lateRun = await fixture.execute(
      { prompt: shellPrompt(`${leave(fixture, 'late')}\nsleep 1000`) },
      { containment, timeoutMs: 4_000 },
    );
    expect(lateRun).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(await isAlive(await left(fixture, 'late'))).toBe(false);
    expect(groupsIn(containment)).toEqual([]);
  });

  it('a run does not end the daemon of another', async () => {
    await using fixture = await planted();
    const controller = new AbortController();
    const first = fixture.execute(
      { prompt: shellPrompt(`${leave(fixture)}\nsleep 1000`) },
      { containment, signal: controller.signal },
    );
    const process = await left(fixture);
    await mkdir(join(fixture.root, 'other'));
    const workplace = { codebaseId: 'd', path: join(fixture.root, 'other'), mode: 'in_place' } as const;
    const other = await fixture.execute({ prompt: shellPrompt('echo other') }, { containment, binding: workplace });
    expect(other).toMatchObject({ status: 'completed' });
    expect(await isAlive(process)).toBe(true);
    controller.abort('cancelled');
    await first;
    expect(await isAlive(process)).toBe(false);
  });

  it('what forks while it is ended ends too', async () => {
    await using fixture = await planted();
    const controller = new AbortController();
    // Every process starts its successor before it ends, 3,000 times at most; eight such lines at once.
    const line = join(fixture.root, 'line.pl');
    await writeFile(
      line,
      `$SIG{TERM} = "IGNORE"; $SIG{CHLD} = "IGNORE"; for (1 .. 3000) { exit if fork; select(undef, undef, undef, 0.02) }`,
    );
    const prompt = shellPrompt(
      `for i in 1 2 3 4 5 6 7 8; do env -i setsid -f perl ${line} ${fixture.root}; done; echo up; sleep 1000`,
    );
    const running = fixture.execute({ prompt }, { containment, signal: controller.signal });
    await until('the agent is up', () => fixture.output('stdout').includes('up'));
    controller.abort('cancelled');
    await running;
    const pids = readdirSync('/proc').map(Number).filter(Boolean);
    const found = pids.filter((pid) => readQuietly(pid, 'cmdline').includes(line) && stateOf(pid) !== 'Z');
    expect(found).toEqual([]);
  });

  it('a pause stops the daemon too, and it goes on; a run that is ended while it is paused ends', async () => {
    await using fixture = await planted();
    const contained = containAttempt(containment, `pause-${globalThis.process.pid}`);
    const tree = toProcessTree(contained);
    const controller = new AbortController();
    const running = runIn(fixture, contained, ['sh', '-c', `${leave(fixture)}\nsleep 1000`], controller.signal);
    const process = await left(fixture);
    const { pid } = process;
    expect(await suspendTree(tree)).toBe('stopped');
    await until('it stands still', () => stateOf(pid) === 'T');
    resumeTree(tree);
    await until('it goes on', () => stateOf(pid) !== 'T');
    await suspendTree(tree);
    controller.abort();
    expect((await running).exit).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    expect(await isAlive(process)).toBe(false);
    await removeContainment(tree);
  });

  it('a worker that was killed leaves them to the next one, which ends them', async () => {
    await using fixture = await planted();
    const runOptions = {
      containment,
      prompt: shellPrompt(`${leave(fixture)}\nsleep 1000`),
      path: fixture.repo,
      stateDir: fixture.stateDir,
    };
    const program = join(import.meta.dirname, 'processes/run-once.ts');
    const worker = spawn(globalThis.process.execPath, [program, JSON.stringify(runOptions)], {
      env: fixture.env,
      stdio: 'ignore',
    });
    const ended = once(worker, 'exit');
    const daemonLeft = await left(fixture);
    worker.kill('SIGKILL');
    await ended;
    expect(await isAlive(daemonLeft)).toBe(true);
    const git = createGit({ env: fixture.env, deadlineMs: 60_000 });
    expect(await sweepAttempts({ stateDir: fixture.stateDir, git, killGraceMs: 100 })).toBe(1);
    expect(await isAlive(daemonLeft)).toBe(false);
    expect(groupsIn(containment)).toEqual([]);
  });

  it('a program runs as it would alone', async () => {
    await using fixture = await planted();
    const facts = `[ -t 0 ] && echo tty; pwd; env | sort; cat; echo err >&2; sed 's/.*) . //' /proc/$$/stat | cut -d' ' -f2,3 | sed "s/$$/own/g"; trap; ls /proc/self/fd | wc -l`;
    const alone = await outputText(fixture, { kind: 'none' }, ['sh', '-c', facts], 'words\nand more');
    expect(alone.text).toContain('own own');
    expect(await outputText(fixture, containment, ['sh', '-c', facts], 'words\nand more')).toEqual(alone);
    for (const argv of [
      ['env'],
      ['sh', '-c', 'exit 7'],
      ['sh', '-c', 'kill -9 $$'],
      ['sh', '-c', 'kill -TERM $$'],
      ['sh', '-c', 'kill -USR1 $$'],
      [join(fixture.root, 'not-there')],
      ['no-such-program-anywhere'],
      [join(fixture.root, 'daemon.pl')],
    ] satisfies [string, ...string[]][]) {
      expect([argv, await outputText(fixture, containment, argv)]).toEqual([
        argv,
        await outputText(fixture, { kind: 'none' }, argv),
      ]);
    }
  });

  it('a sandbox in it confines as ever', async () => {
    await using fixture = await planted();
    const commandArgs = [
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
    const [program = '', ...args] = commandArgs;
    expect(await outputText(fixture, containment, [program, ...args])).toMatchObject({
      exit: { kind: 'exited', code: 0 },
    });
  });
});

let runs = 0;

async function runIn(
  fixture: RunFixture,
  contained: ReturnType<typeof containAttempt>,
  argv: [string, ...string[]],
  signal = new AbortController().signal,
  stdin?: string,
  take: (stream: string, text: string) => void = () => undefined,
): Promise<ChildEnd> {
  const all = { ...fixture.env, SWITCHYARD_RUN: contained.tag, 'odd-name.x': 'kept' };
  const onText = (stream: string, text: string): Promise<void> => {
    take(stream, text);
    return Promise.resolve();
  };
  return runChild({ argv, cwd: fixture.repo, env: all, contained, stdin, signal, killGraceMs: 300, onText });
}

/** The output of a program without its attempt's tag, and how it ended. */
async function outputText(fixture: RunFixture, containment: Containment, argv: [string, ...string[]], stdin?: string) {
  runs += 1;
  const contained = containAttempt(containment, `alone-${process.pid}-${runs}`);
  const texts = new Map<string, string>();
  const { exit } = await runIn(fixture, contained, argv, undefined, stdin, (stream, text) =>
    texts.set(stream, (texts.get(stream) ?? '') + text),
  );
  await removeContainment(toProcessTree(contained));
  return {
    exit,
    text: JSON.stringify(['stdout', 'stderr'].map((stream) => texts.get(stream))).replaceAll(contained.tag, 'TAG'),
  };
}

describe.each(offered.filter(([kind]) => kind === 'subreaper'))('kept by %s', (_, containment) => {
  it('an agent that kills what its daemons fall to ends its own run by that', async () => {
    await using fixture = await planted();
    const outcome = await fixture.execute({ prompt: shellPrompt('kill -9 $PPID; sleep 1000') }, { containment });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent_exit' } });
    const pids = readdirSync('/proc').map(Number).filter(Boolean);
    expect(pids.filter((pid) => readQuietly(pid, 'environ').includes(fixture.root) && stateOf(pid) !== 'Z')).toEqual(
      [],
    );
  });
});

describe('what keeps daemons', () => {
  it('is the strongest means that works, and logged in one line', async () => {
    const works = (value: string) => (): Promise<string> => Promise.resolve(value);
    const both = await findContainment(env, { cgroup: works('/groups'), subreaper: works('perl') });
    expect(both).toMatchObject({ containment: { kind: 'cgroup', parent: '/groups' }, remedy: '' });
    const second = await findContainment(env, { cgroup: none('read-only here'), subreaper: works('perl') });
    expect(second).toMatchObject({ containment: { kind: 'subreaper', perl: 'perl' }, remedy: '' });
    expect(second.found).toContain('read-only here');
    const neither = await findContainment(env, {
      cgroup: none('read-only here'),
      subreaper: none('perl is not installed'),
    });
    expect(neither.containment).toEqual({ kind: 'none' });
    expect(neither.found).toMatch(/outlives its attempt.*read-only here.*perl is not installed/);
    expect(neither.remedy).toContain('Delegate=yes');
    expect([both, second, neither].filter(({ found }) => found.includes('\n'))).toEqual([]);
  });

  it('is not perl where there is none', async () => {
    await expect(trySubreaper({ PATH: '/nowhere' })).rejects.toThrow('perl is not installed');
  });

  it('ends nothing by a record that names what is no control group', async () => {
    await using fixture = await planted();
    const bystander = spawn('sleep', ['120'], { stdio: 'ignore' });
    const ended = once(bystander, 'exit');
    const group = join(fixture.root, 'switchyard-run-forged');
    await mkdir(group);
    await writeFile(join(group, 'cgroup.procs'), `${bystander.pid}\n`);
    const run = join(fixture.stateDir, 'runs', 'forged');
    await mkdir(run, { recursive: true });
    await writeFile(join(run, 'run.json'), JSON.stringify({ pid: 1, start: '1', tag: 'forged', group }));
    const git = createGit({ env: fixture.env, deadlineMs: 60_000 });
    expect(await sweepAttempts({ stateDir: fixture.stateDir, git, killGraceMs: 100 })).toBe(1);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill();
    await ended;
  });
});
