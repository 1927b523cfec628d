// Runs tools, each inside bubblewrap. The confinement is tried out before the first run; no tool runs without it.
import { realpath } from 'node:fs/promises';
import { DomainError, unavailable } from '../../domain/model/errors.ts';
import { limitsFor, type ToolLimits } from '../../domain/model/tool-limits.ts';
import type { OutgoingTunnels, Sandbox, SandboxJob, SandboxResult, SandboxState } from '../../domain/ports/sandbox.ts';
import { makeGroup, type RunGroup } from './confine/cgroup.ts';
import { firstUid, proxyPort } from './confine/confinement.ts';
import { launch, NotConfined } from './launch.ts';
import { openPaths } from './confine/opened-paths.ts';
import { SlotPool } from './slot-pool.ts';
import { detectSandboxSupport, type SandboxSupport } from './sandbox-support.ts';

export interface BubblewrapSandboxOptions {
  /** BWRAP_BIN; undefined searches the usual folders. */
  readonly bwrap: string | undefined;
  /** TOOL_ALLOWED_PATHS. */
  readonly allowedPaths: readonly string[];
  /** Folders that no tool may see: DATA_DIR. */
  readonly hidden: readonly string[];
  readonly runsAtOnce: number;
  readonly tunnels: OutgoingTunnels;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** How long a failed trial is cached. A successful one is cached until a run fails to be confined. */
const tryAgainMs = 30_000;

interface Trial {
  readonly at: number;
  readonly support: Promise<SandboxSupport | SandboxState>;
}

export class BubblewrapSandbox implements Sandbox {
  readonly #options: BubblewrapSandboxOptions;
  readonly #slots: SlotPool;
  #trial: Trial | undefined;

  constructor(options: BubblewrapSandboxOptions) {
    this.#options = options;
    this.#slots = new SlotPool(options.runsAtOnce);
  }

  async state(): Promise<SandboxState> {
    const support = await this.#support();
    return 'available' in support ? support : { available: true, found: support.found };
  }

  async acquireSlot(tenantId: string): ReturnType<Sandbox['acquireSlot']> {
    const support = await this.#support();
    if ('available' in support) throw notAvailable(support.available ? '' : support.reason);
    const { slot, release } = this.#slots.take(tenantId);
    return { run: (job) => this.#run(support, slot, job), [Symbol.dispose]: release };
  }

  #support(): Promise<SandboxSupport | SandboxState> {
    const { elapsedMs } = this.#options;
    const last = this.#trial;
    if (last !== undefined && elapsedMs() - last.at < tryAgainMs) return last.support;
    const trial = {
      at: elapsedMs(),
      support: detectSandboxSupport(this.#options.bwrap, (support) => this.#tryOut(support)),
    };
    this.#trial = trial;
    return this.#keep(trial);
  }

  /** Caches a successful trial without a time limit. */
  async #keep(trial: Trial): Promise<SandboxSupport | SandboxState> {
    const support = await trial.support;
    if (!('available' in support) && this.#trial === trial) this.#trial = { ...trial, at: Infinity };
    return support;
  }

  /** Runs a trivial tool through the same steps as a real one. @throws NotConfined */
  async #tryOut(support: SandboxSupport): Promise<void> {
    const manifest = { toolId: 'trial', version: '0.0.0', sha256Hash: '', signature: '' };
    const result = await this.#launch(support, this.#options.runsAtOnce, {
      toolId: 'trial',
      version: '0.0.0',
      content: Buffer.from('#!/bin/sh\necho confined\n'),
      input: '{}',
      limits: limitsFor(manifest, 'restricted'),
      signal: new AbortController().signal,
    });
    if (result.stdout === 'confined\n') return;
    throw new NotConfined(`the trial ended with ${result.exitCode ?? result.killedBy}: ${result.stderr.trim()}`);
  }

  async #run(support: SandboxSupport, slot: number, job: SandboxJob): Promise<SandboxResult> {
    try {
      return await this.#launch(support, slot, job);
    } catch (error) {
      if (!(error instanceof NotConfined)) throw error;
      const closed = /Can't find source path (\S+): Permission denied/.exec(error.message)?.[1];
      if (closed !== undefined) throw unreadable(closed);
      // The next run starts with a new trial.
      this.#trial = undefined;
      this.#options.log('failed to confine a tool; it was not run, and the sandbox is probed again', error);
      throw notAvailable(error.message, error);
    }
  }

  async #launch(support: SandboxSupport, slot: number, job: SandboxJob): Promise<SandboxResult> {
    const { allowedPaths, hidden, tunnels, elapsedMs } = this.#options;
    const { opened, openedAs } = await openPaths(job.limits.paths, allowedPaths, hidden);
    const { programs, hasProc, systemFolders, seccomp, shell, isRoot } = support;
    const confinement = {
      programs,
      hasProc,
      systemFolders,
      opened,
      limits: job.limits,
      uid: firstUid + slot,
      hidden: await Promise.all(hidden.map((folder) => realpath(folder).catch(() => folder))),
      environment: environmentOf(job),
    };
    await using group = await groupFor(support, job.limits);
    return await launch({ job, confinement, openedAs, seccomp, shell, isRoot, tunnels, group: group.made, elapsedMs });
  }
}

async function groupFor(
  { groups }: SandboxSupport,
  limits: ToolLimits,
): Promise<{ readonly made: RunGroup | undefined } & AsyncDisposable> {
  const made = groups === undefined ? undefined : await makeGroup(groups, limits);
  return { made, [Symbol.asyncDispose]: async () => made?.[Symbol.asyncDispose]() };
}

/** The complete environment of a tool: it inherits nothing from the service. */
function environmentOf({ toolId, version, limits }: SandboxJob): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const proxied = { ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: '1' };
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    USER: 'tool',
    TOOL_ID: toolId,
    TOOL_VERSION: version,
    ...(limits.hosts.length > 0 ? proxied : {}),
  };
}

function unreadable(path: string): DomainError {
  const message = `Tools cannot read ${path}: their user needs search permission on every folder in its path.`;
  return new DomainError('conflict', 'resource_unreadable', message);
}

function notAvailable(reason: string, cause?: unknown) {
  const message = `Tools cannot be confined here, so none is run: ${reason}. Run \`switchyard doctor\` for the remedy.`;
  return unavailable('sandbox_unavailable', message, 30, cause);
}
