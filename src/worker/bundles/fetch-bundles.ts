// Brings commits of other workers into this worker's repository: a chain of thin bundles, each checked before use.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerClient } from '../service/client.ts';
import { isTransientError, ServiceRefusal } from '../base/service-error.ts';
import { sleep } from '../../lib/wait.ts';
import { WorkspaceError } from '../workspace/git/workspace-error.ts';
import { BundleError } from './bundle-error.ts';
import type { BundlePlace } from './send-bundle.ts';

/** The bundle of a step's task, or that of a whole run. */
export type StoredBundle = (
  { readonly task_id: string; readonly artifact_id: string } | { readonly run_id: string }
) & {
  /** The commit at the tip of the bundle. */
  readonly commit: string;
};

export interface FetchOptions {
  readonly client: Pick<WorkerClient, 'downloadArtifact' | 'downloadRunBundle'>;
  /** A folder for the bundles, which the caller removes. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Fetches the repository's origin, where it has one. Called at most once. */
  readonly fetchOrigin: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** The hidden ref that keeps a fetched commit. */
export function fetchedRef(commit: string): string {
  return `refs/switchyard/fetched/${commit}`;
}

export async function hasCommit({ git, root }: BundlePlace, commit: string): Promise<boolean> {
  const { code } = await git.run(['cat-file', '-e', `${commit}^{commit}`], { cwd: root, expect: [0, 1, 128] });
  return code === 0;
}

/**
 * Makes commits available: those of the chain that the repository lacks are downloaded in order.
 * @param commits further commits that must be there in the end
 * @throws BundleError; WorkspaceError; ServiceUnreachable when the service does not answer
 */
export async function fetchBundles(
  place: BundlePlace,
  { chain, commits }: { chain: readonly StoredBundle[]; commits: readonly string[] },
  options: FetchOptions,
): Promise<void> {
  let asked = false;
  const askOrigin = async (): Promise<boolean> => {
    if (asked) return false;
    asked = true;
    try {
      await options.fetchOrigin();
      return true;
    } catch (error) {
      // An origin that cannot be reached is as good as none; another worker may have the commits.
      if (error instanceof WorkspaceError && error.code === 'clone_failed') return false;
      throw error;
    }
  };
  for (const source of chain) {
    if (!(await hasCommit(place, source.commit))) await fetchOne(place, source, { ...options, askOrigin });
  }
  for (const commit of commits) {
    if (await hasCommit(place, commit)) continue;
    if (!(await askOrigin()) || !(await hasCommit(place, commit))) throw missing(place, commit);
  }
}

function missing({ root }: BundlePlace, what: string): BundleError {
  const hint = 'Update the repository (git fetch), or let the run work on the worker where it began.';
  return new BundleError('base_missing', `${root} lacks ${what}, and its origin does not have it. ${hint}`);
}

async function fetchOne(
  place: BundlePlace,
  source: StoredBundle,
  options: FetchOptions & { askOrigin: () => Promise<boolean> },
): Promise<void> {
  const { git, root } = place;
  const bytes = await download(place, source, options);
  if (bytes.length > options.maxBytes) {
    const message = `The bundle of ${source.commit} has ${bytes.length} bytes; at most ${options.maxBytes} are taken.`;
    throw new BundleError('bundle_too_large', message);
  }
  const file = join(options.folder, `${source.commit}.bundle`);
  await writeFile(file, bytes);
  const ref = await refInBundle(place, file, source);
  if (
    !(await standsOnKnownCommits(place, file)) &&
    !((await options.askOrigin()) && (await standsOnKnownCommits(place, file)))
  ) {
    throw missing(place, `the commits on which ${source.commit} stands`);
  }
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--', file];
  try {
    const strict = ['-c', 'fetch.fsckObjects=true', '-c', 'fetch.unpackLimit=1000'];
    await git.run([...strict, ...fetch, `+${ref}:${fetchedRef(source.commit)}`], { cwd: root });
    await git.run(
      ['rev-list', '--quiet', '--objects', source.commit, '--not', '--exclude=refs/switchyard/*', '--all'],
      {
        cwd: root,
      },
    );
  } catch (cause) {
    if (!(cause instanceof WorkspaceError) || cause.code !== 'workspace_unusable') throw cause;
    throw damaged(source, cause.message, cause);
  }
}

function damaged(source: StoredBundle, why: string, cause?: unknown): BundleError {
  const origin = 'run_id' in source ? `the run ${source.run_id}` : `the task ${source.task_id}`;
  const message = `The bundle of ${source.commit} from ${origin} is damaged: ${why}`;
  return new BundleError('bundle_damaged', message, { cause });
}

/** The name under which the bundle has the commit. */
async function refInBundle({ git, root }: BundlePlace, file: string, source: StoredBundle): Promise<string> {
  const { code, stdout, stderr } = await git.run(['bundle', 'list-heads', file], { cwd: root, expect: [0, 1, 128] });
  if (code !== 0) throw damaged(source, stderr);
  const line = stdout
    .toString()
    .split('\n')
    .find((one) => one.startsWith(`${source.commit} refs/`));
  if (line === undefined) throw damaged(source, 'it does not hold that commit');
  return line.slice(source.commit.length + 1);
}

/** Whether the repository has the commits that the bundle needs. */
async function standsOnKnownCommits({ git, root }: BundlePlace, file: string): Promise<boolean> {
  const { code, stderr } = await git.run(['bundle', 'verify', file], { cwd: root, expect: [0, 1, 128] });
  return code === 0 || !/lacks these prerequisite commits/.test(stderr);
}

const tries = 4;
const firstPauseMs = 1_000;

/** Answers of a service that no longer has the bundle: the task or the run, or what it left, was deleted. */
const goneStatuses: readonly number[] = [404, 409];

/** @throws BundleError `base_missing` when the service does not have the bundle any more */
async function download(place: BundlePlace, source: StoredBundle, { client, signal }: FetchOptions): Promise<Buffer> {
  for (let count = 1; ; count += 1) {
    try {
      const bytes = await downloadOnce(client, source, signal);
      if (bytes !== undefined) return bytes;
      throw missing(place, `the commit ${source.commit}, of which the service has no bundle`);
    } catch (error) {
      if (error instanceof ServiceRefusal && goneStatuses.includes(error.status)) {
        throw missing(place, `the commit ${source.commit}, of which the service has no bundle`);
      }
      if (!isTransientError(error) || count === tries || signal.aborted) throw error;
      await sleep(firstPauseMs * 2 ** (count - 1), signal);
    }
  }
}

function downloadOnce(
  client: FetchOptions['client'],
  source: StoredBundle,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if ('run_id' in source) return client.downloadRunBundle(source.run_id, signal);
  return client.downloadArtifact(source.task_id, source.artifact_id, signal);
}
