// The shell of the built-in agent: one command in the workspace, confined, with limits of time and output.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSandboxCommand } from '../../sandboxed-fs/sandbox.ts';
import { BoundedText } from '../../process/bounded-text.ts';
import { runChild } from '../../process/child.ts';
import type { AttemptContainment } from '../../process/containment.ts';
import { attemptTagVariable } from '../../process/environment.ts';
import { cleanText } from '../../process/text.ts';
import { truncateMiddle, type RunShell, type ModelToolResult } from './tool.ts';

export interface ShellOptions {
  /** Path of `bwrap`; undefined: commands run with the worker's own rights, which the operator has allowed. */
  readonly sandbox: string | undefined;
  readonly network: boolean;
  /** Absolute paths that a confined command does not see. */
  readonly hidden: readonly string[];
  /** The workspace. */
  readonly path: string;
  /** Folders outside the workspace that git reads there: visible to a confined command, read-only. */
  readonly gitFolders: readonly string[];
  /** The folder of this attempt. */
  readonly folder: string;
  readonly contained: AttemptContainment;
  /** The environment of the attempt; only a small part of it is passed on. */
  readonly env: NodeJS.ProcessEnv;
  /** Names of variables that the operator passes on to agents. */
  readonly passEnv: string[];
  readonly killGraceMs: number;
}

const keptChars = 200_000;
const plainNames = /^(PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM)$/;

/** A command gets the variables for finding programs and for printing; none that could be a key. */
function shellEnvironment({ env, passEnv, path, folder, contained }: ShellOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => plainNames.test(name) || passEnv.includes(name));
  const temporary = join(folder, 'tmp');
  return {
    ...Object.fromEntries(kept),
    HOME: temporary,
    TMPDIR: temporary,
    PWD: path,
    [attemptTagVariable]: contained.tag,
  };
}

export function createShell(options: ShellOptions): RunShell {
  const { sandbox, path, folder } = options;
  return async (command, timeoutMs, signal): Promise<ModelToolResult> => {
    await mkdir(join(folder, 'tmp'), { recursive: true, mode: 0o700 });
    const sandboxCommand = sandbox === undefined ? [] : await buildSandboxCommand({ ...options, program: sandbox });
    const [program = 'sh', ...args] = [...sandboxCommand, 'sh', '-c', command];
    const limit = AbortSignal.timeout(timeoutMs);
    const output = new BoundedText(keptChars);
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
    const shown = truncateMiddle(cleanText(output.text()));
    if (stopped) return { ok: false, text: `${shown}\n[ended after ${timeoutMs / 1000} s, its time limit]` };
    if (exit.kind === 'missing') return { ok: false, text: `[not started: ${exit.reason}]` };
    const how = exit.kind === 'signalled' ? exit.signal : `exit ${exit.code}`;
    const ok = exit.kind === 'exited' && exit.code === 0;
    return { ok, text: ok ? shown || '[no output]' : `${shown}\n[${how}]` };
  };
}
