// Runs git: with a deadline, without prompts, hooks or credentials of ours.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkspaceError } from './workspace-error.ts';

/**
 * Settings for every call. `safe.directory`: the folder was bound by the operator, whoever owns it. Hooks and the file
 * watcher are programs that a repository names; ours is not the commit they are meant for.
 */
const settings = [
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.quotePath=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

const stderrChars = 4_000;

/**
 * Git reads the files of all worktrees of a repository, and fails when another git is just writing one of them. That
 * failure comes before anything is done, so the call is made again.
 */
const worktreeRace = /failed to read \S*\/worktrees\//;
const raceTries = 8;
const racePauseMs = 50;

export interface GitCall {
  cwd: string;
  /** Added to the environment: which index, which object folder. */
  env?: Record<string, string>;
  /** Written to stdin. */
  input?: string;
  /** Exit codes that are an answer and not an error. Default: 0 alone. */
  expect?: number[];
  /** Gets stdout as it comes; without it stdout is in the answer. */
  onChunk?: (chunk: Buffer) => void;
}

interface GitAnswer {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface Git {
  /** @throws WorkspaceError when git fails, is missing, or takes too long */
  run(args: string[], call: GitCall): Promise<GitAnswer>;
  /** The trimmed text of stdout. */
  line(args: string[], call: GitCall): Promise<string>;
}

export interface GitOptions {
  /** The environment, without credentials of ours. */
  env: NodeJS.ProcessEnv;
  deadlineMs: number;
}

export function createGit({ env, deadlineMs }: GitOptions): Git {
  const baseEnv = {
    ...env,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: 'Switchyard',
    GIT_AUTHOR_EMAIL: 'switchyard@localhost',
    GIT_COMMITTER_NAME: 'Switchyard',
    GIT_COMMITTER_EMAIL: 'switchyard@localhost',
  };

  async function run(args: string[], call: GitCall): Promise<GitAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(args, call);
      } catch (error) {
        const raced = error instanceof WorkspaceError && worktreeRace.test(error.message);
        if (!raced || tries === raceTries) throw error;
        await delay(racePauseMs * tries);
      }
    }
  }

  function once(args: string[], call: GitCall): Promise<GitAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
    const what = `git ${args[0]} in ${call.cwd}`;
    const child = spawn('git', [...settings, ...args], {
      cwd: call.cwd,
      env: { ...baseEnv, ...call.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, deadlineMs);
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (call.onChunk ? call.onChunk(chunk) : stdout.push(chunk)));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString()}`.slice(-stderrChars);
    });
    // EPIPE: git has ended without reading; its exit code tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input ?? '');
    child.on('error', (cause) => {
      clearTimeout(deadline);
      const message = `git could not be started (${cause.message}). Install git 2.31 or newer on the worker's machine.`;
      reject(new WorkspaceError('workspace_unusable', message, { cause }));
    });
    child.on('close', (code) => {
      clearTimeout(deadline);
      if (late) {
        const hint = 'Ignore large generated folders in .gitignore, or bind a smaller folder.';
        reject(new WorkspaceError('workspace_timeout', `${what} took longer than ${deadlineMs / 1000} s. ${hint}`));
      } else if (code === null || !(call.expect ?? [0]).includes(code)) {
        reject(new WorkspaceError('workspace_unusable', `${what} failed (${code ?? 'killed'}): ${stderr.trim()}`));
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
