// Runs git: with a deadline, without prompts or hooks, and without configuration of a repository or an agent.
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { limitChild } from './git-limit.ts';
import { isDiskFull, WorkspaceError } from './workspace-error.ts';

/**
 * Settings for every call. Fetches and pushes use the user's own configuration; hooks, watchers and recursion into
 * submodules would start programs there too.
 */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.quotePath=true',
  // Both speed up reading; anyone who can write the object folder can falsify them.
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  // Rejecting an agent's file because of its line ends would leave the result behind.
  'core.safecrlf=false',
  // Submodules are empty in a worktree, so entering them would fail.
  'submodule.recurse=false',
  'core.logAllRefUpdates=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
  // A transport that runs a command line.
  'protocol.ext.allow=never',
].flatMap((setting) => ['-c', setting]);

/** No configuration and attributes of the system or the user, and no replaced objects. */
const sealed = {
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};

const stderrChars = 4_000;

export interface GitCall {
  readonly cwd: string;
  /** Added to the environment: selects the git folder, index and object folder. */
  readonly env?: Record<string, string>;
  /** `user`: uses the user's configuration and `GIT_…` variables, for credentials and proxies. Default: without. */
  readonly configuration?: 'user' | undefined;
  /** Written to stdin. */
  readonly input?: string | Buffer;
  /** Exit codes that are answers, not errors. Default: 0 alone. */
  readonly expect?: number[];
  /** Gets stdout in pieces; without it stdout is in the answer. */
  readonly onChunk?: (chunk: Buffer) => void;
  /** Default: the deadline of all calls. */
  readonly deadlineMs?: number;
  /** Ends the call when it aborts. Default: the signal of all calls. */
  readonly signal?: AbortSignal;
}

interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface Git {
  /** @throws WorkspaceError when git fails, is missing, or takes too long */
  run(args: string[], call: GitCall): Promise<GitAnswer>;
  /** The trimmed text of stdout. */
  line(args: string[], call: GitCall): Promise<string>;
}

export interface GitOptions {
  /** The environment, without the worker's credentials. */
  readonly env: NodeJS.ProcessEnv;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** The operator's environment may only say where git's programs are. */
function withoutGitVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || name === 'GIT_EXEC_PATH'),
  );
}

/** Git is started in folders that agents write: a relative entry would run a program of theirs. */
function absolutePath(path = ''): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter);
}

export function createGit({ env, deadlineMs, signal: endAll }: GitOptions): Git {
  const base = { ...env, PATH: absolutePath(env['PATH']) };
  const always = {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: 'Switchyard',
    GIT_AUTHOR_EMAIL: 'switchyard@localhost',
    GIT_COMMITTER_NAME: 'Switchyard',
    GIT_COMMITTER_EMAIL: 'switchyard@localhost',
    // Git must not search for a repository: a call without a git folder fails.
    GIT_DIR: '/dev/null',
  };
  const ownEnv = { ...withoutGitVariables(base), ...always, ...sealed };
  // Only the operator's own program is asked for passwords.
  const userEnv = { ...base, ...always, GIT_ASKPASS: env['GIT_ASKPASS'] ?? 'true' };

  function run(args: string[], call: GitCall): Promise<GitAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
    const { cwd, deadlineMs: limitMs = deadlineMs, signal = endAll } = call;
    const what = `git ${args.find((word, at) => word !== '-c' && args[at - 1] !== '-c')} in ${cwd}`;
    const child = spawn('git', [...settings, ...args], {
      cwd,
      env: { ...(call.configuration === 'user' ? userEnv : ownEnv), ...call.env },
      // A process group of its own, so that helpers (a transport, a filter) can be ended with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (call.onChunk ? call.onChunk(chunk) : stdout.push(chunk)));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString()}`.slice(-stderrChars);
    });
    // EPIPE: git has ended without reading; its exit code explains it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input ?? '');
    const limits = limitChild(child, { limitMs, signal }, (aborted) => {
      const hint = 'Ignore large generated folders in .gitignore, bind a smaller folder, or raise git_timeout_seconds.';
      const why = aborted ? 'was ended' : `took longer than ${limitMs / 1000} s. ${hint}`;
      reject(new WorkspaceError('workspace_timeout', `${what} ${why}`));
    });
    let started = true;
    child.on('error', (cause) => {
      started = false;
      limits.stop();
      void notStarted(cwd, cause).then(reject);
    });
    child.on('close', (code) => {
      limits.stop();
      if (limits.isExpired() || !started) return;
      if (code === null || !(call.expect ?? [0]).includes(code)) {
        const full = isDiskFull(stderr) ? 'disk_full' : 'workspace_unusable';
        reject(new WorkspaceError(full, `${what} failed (${code ?? 'killed'}): ${stderr.trim()}`));
      } else {
        resolve({ code, stdout: Buffer.concat(stdout), stderr: stderr.trim() });
      }
    });
    return promise;
  }

  return {
    run,
    line: async (args, call) => (await run(args, call)).stdout.toString().trim(),
  };
}

/** A missing working folder and a missing program give the same system error. */
async function notStarted(cwd: string, cause: Error): Promise<WorkspaceError> {
  const there = await stat(cwd).catch(() => undefined);
  if (there === undefined) return new WorkspaceError('workspace_lost', `The folder ${cwd} is gone.`, { cause });
  const message = `git could not be started (${cause.message}). Install git 2.32 or newer on the worker's machine.`;
  return new WorkspaceError('workspace_unusable', message, { cause });
}
