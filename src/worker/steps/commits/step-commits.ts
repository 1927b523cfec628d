// The commits of a step: fetched before it begins, kept under a hidden ref and left as a bundle when it ends.
import { join } from 'node:path';
import { fetchBundles } from '../../bundles/fetch-bundles.ts';
import { sendBundle } from '../../bundles/send-bundle.ts';
import type { StepContext } from '../step-context.ts';

/** Name and id of the artifact with a step's commits. */
const bundleArtifact = 'bundle';

/**
 * Fetches the step's chain of bundles.
 * @param commits must be in the repository afterwards
 * @throws BundleError `base_missing`, `bundle_damaged`, `bundle_too_large`
 */
export async function fetchStepCommits(context: StepContext, commits: readonly string[]): Promise<void> {
  const { client, folder, git, repository, signal, step, fetchOrigin } = context;
  const options = { client, folder: folder.path, maxBytes: step.bundle_max_bytes, fetchOrigin, signal };
  await fetchBundles({ git, root: repository.root }, { chain: step.fetch, commits }, options);
}

/**
 * Keeps a commit in the repository under the step's hidden ref, and leaves `base..commit` as the task's bundle.
 * @throws BundleError `bundle_too_large`; WorkspaceError
 */
export async function keepStepCommit(
  { emit, folder, git, repository, step }: StepContext,
  { commit, base }: { commit: string; base: string },
): Promise<void> {
  const { root } = repository;
  await git.run(['update-ref', '--no-deref', step.keep_ref, commit], { cwd: root });
  const range = { ref: step.keep_ref, base, file: join(folder.path, 'step.bundle'), maxBytes: step.bundle_max_bytes };
  await sendBundle({ git, root }, range, { emit, artifactId: bundleArtifact, name: bundleArtifact });
}
