// The shell of the built-in agent: one command in the work place, confined, bounded in time and output.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxWords } from '../../sandboxed-fs/sandbox.ts';
import { runChild } from '../../process/child.ts';
import type { RunContainment } from '../../process/containment.ts';
import { runTagVariable } from '../../process/environment.ts';
import { cleanText } from '../../process/text.ts';
import { shortened, type RunShell, type ToolOutcome } from './tool.ts';

export interface ShellOptions {
  /** The program `bwrap`; undefined: commands run as the worker does, which the operator has allowed. */
  sandbox: string | undefined;
  network: boolean;
  /** Absolute paths that a confined command does not see. */
  hidden: readonly string[];
  /** The work place. */
  path: string;
  /** Folders outside of it that git reads there: shown to a confined command, read-only. */
  gitFolders: readonly string[];
  /** The run's own folder. */
  folder: string;
  contained: RunContainment;
  /** The environment of the run, from which little is passed on. */
  env: NodeJS.ProcessEnv;
  /** Names that the operator passes on to agents. */
  passEnv: string[];
  killGraceMs: number;
}

const keptChars = 200_000;
const plainNames = /^(PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM)$/;

/** A command gets what it needs to find programs and to print; nothing that could be a key. */
function shellEnvironment({ env, passEnv, path, folder, contained }: ShellOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => plainNames.test(name) || passEnv.includes(name));
  const temporary = join(folder, 'tmp');
  return {
    ...Object.fromEntries(kept),
    HOME: temporary,
    TMPDIR: temporary,
    PWD: path,
    [runTagVariable]: contained.tag,
  };
}

/** Keeps the beginning and the end of what comes. */
function keeper(): { take(text: string): void; text(): string } {
  let [head, tail, dropped] = ['', '', 0];
  return {
    take(text) {
      const room = Math.max(0, keptChars - head.length);
      head += text.slice(0, room);
      tail += text.slice(room);
      const over = Math.max(0, tail.length - keptChars);
      dropped += over;
      tail = tail.slice(over);
    },
    text: () => (dropped === 0 ? head + tail : `${head}\n… ${dropped} characters left out …\n${tail}`),
  };
}

export function createShell(options: ShellOptions): RunShell {
  const { sandbox, path, folder } = options;
  return async (command, timeoutMs, signal): Promise<ToolOutcome> => {
    await mkdir(join(folder, 'tmp'), { recursive: true, mode: 0o700 });
    const words = sandbox === undefined ? [] : await sandboxWords({ ...options, program: sandbox });
    const [program = 'sh', ...args] = [...words, 'sh', '-c', command];
    const limit = AbortSignal.timeout(timeoutMs);
    const output = keeper();
    const { exit, stopped } = await runChild({
      argv: [program, ...args],
      cwd: path,
      env: shellEnvironment(options),
      contained: options.contained,
      stdin: undefined,
      killGraceMs: options.killGraceMs,
      signal: AbortSignal.any([signal, limit]),
      onText: (_, text) => {
        output.take(text);
        return Promise.resolve();
      },
    });
    signal.throwIfAborted();
    const said = shortened(cleanText(output.text()));
    if (stopped) return { ok: false, text: `${said}\n[ended after ${timeoutMs / 1000} s, its time limit]` };
    if (exit.kind === 'missing') return { ok: false, text: `[not started: ${exit.reason}]` };
    const how = exit.kind === 'signalled' ? exit.signal : `exit ${exit.code}`;
    const ok = exit.kind === 'exited' && exit.code === 0;
    return { ok, text: ok ? said || '[no output]' : `${said}\n[${how}]` };
  };
}
