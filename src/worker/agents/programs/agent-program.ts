// One agent program on this machine: its version and capabilities, probed once for each state of its file.
import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { runChild } from '../../process/child.ts';
import { attemptTagVariable, withoutCredentials } from '../../process/environment.ts';
import { textTail } from '../../process/text.ts';
import { readHelp } from './help-text.ts';
import { findOptions, findUnmetNeed, type OptionalSet, type ProgramNeeds } from './program-needs.ts';

export interface ProgramProbe {
  /** Undefined when it did not run, or printed no version. */
  readonly version: string | undefined;
  readonly options: OptionalSet;
  /** Why it cannot be used. `broken`: it does not run here; `unfit`: it runs, but lacks what tasks need. */
  readonly problem?: { kind: 'broken' | 'unfit'; message: string };
}

export interface AgentProgram {
  readonly path: string;
  /** The result of its probe; repeated when the file has changed. */
  probe(): Promise<ProgramProbe>;
}

export interface AgentProgramOptions {
  readonly path: string;
  /** The worker's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** The needs of tasks; undefined: the program only has to run. */
  readonly needs: ProgramNeeds | undefined;
  /** The deadline of each of its answers. */
  readonly deadlineMs?: number | undefined;
}

/** Some programs need five seconds of a processor to answer, and at boot time many compete for it. */
const answerDeadlineMs = 60_000;
/** The longest known help text has 25 KB. */
const maxAnswerChars = 1_000_000;

class ProbeFailed extends Error {}

/** Runs the program until it ends, with empty stdin, in a folder without any configuration. */
async function runProbe({ path, env, deadlineMs = answerDeadlineMs }: AgentProgramOptions, args: readonly string[]) {
  const tag = randomUUID();
  const command = args.join(' ');
  let text = '';
  const { exit, stopped } = await runChild({
    argv: [path, ...args],
    cwd: '/',
    env: { ...withoutCredentials({ env, passEnv: [] }), [attemptTagVariable]: tag },
    contained: { tag, kind: 'none' },
    stdin: undefined,
    killGraceMs: 0,
    signal: AbortSignal.timeout(deadlineMs),
    onText(_stream, more) {
      // Some print their version to stderr.
      text += more;
      if (text.length <= maxAnswerChars) return Promise.resolve();
      return Promise.reject(new ProbeFailed(`its output for ${command} is too long`));
    },
  });
  if (stopped) throw new ProbeFailed(`it did not answer ${command} in ${deadlineMs / 1000} s`);
  if (exit.kind === 'missing') throw new ProbeFailed(exit.reason);
  if (exit.kind === 'signalled') throw new ProbeFailed(`${command} ended with ${exit.signal}`);
  if (exit.code !== 0)
    throw new ProbeFailed(`${command} ended with exit code ${exit.code}: ${textTail(text.trim(), 500)}`);
  return text;
}

async function probeProgram(options: AgentProgramOptions): Promise<ProgramProbe> {
  const { needs } = options;
  let version: string | undefined;
  try {
    const printed = await runProbe(options, ['--version']);
    version = /\d+\.\d+[\w.+-]*/.exec(printed)?.[0] ?? (printed.trim().slice(0, 50) || undefined);
    if (needs === undefined) return { version, options: new Set() };
    const terms = readHelp(await runProbe(options, needs.helpArgs));
    const message = findUnmetNeed(needs, version, terms);
    return { version, options: findOptions(needs, terms), ...(message && { problem: { kind: 'unfit', message } }) };
  } catch (error) {
    if (!(error instanceof ProbeFailed)) throw error;
    return { version, options: new Set(), problem: { kind: 'broken', message: error.message } };
  }
}

/** Changes with the program. Installers set times and overwrite files, so neither time nor size is enough alone. */
async function fileFingerprint(path: string): Promise<string | undefined> {
  try {
    const file = await realpath(path);
    const { ctimeMs, dev, ino, mtimeMs, size } = await stat(file);
    return [file, dev, ino, size, mtimeMs, ctimeMs].join('\n');
  } catch {
    return undefined;
  }
}

export function agentProgram(options: AgentProgramOptions): AgentProgram {
  const { path } = options;
  let known: { state: string; answer: Promise<ProgramProbe> } | undefined;
  return {
    path,
    async probe() {
      const state = await fileFingerprint(path);
      if (state === undefined) {
        return {
          version: undefined,
          options: new Set(),
          problem: { kind: 'broken', message: 'the program is missing' },
        };
      }
      if (known?.state !== state) {
        const current = { state, answer: probeProgram(options) };
        known = current;
        // A failure on our side (no process available) is no evidence about the program.
        current.answer.catch(() => {
          if (known === current) known = undefined;
        });
      }
      return known.answer;
    },
  };
}
