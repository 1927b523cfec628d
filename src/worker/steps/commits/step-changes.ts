// The difference between two trees of a run: the list for the answer, and the artifacts `diff` and `files`.
import type { ImplementResultWire } from '../../../contracts/step.ts';
import type { NewArtifact } from '../../../contracts/worker.ts';
import { changeArtifacts, maxDiffBytes } from '../../workspace/artifacts.ts';
import { changesBetween } from '../../workspace/changes.ts';
import type { StepContext } from '../step-context.ts';

interface StepChanges {
  readonly changed: ImplementResultWire['changed'];
  readonly artifacts: NewArtifact[];
}

const maxListed = 5_000;

/** @param before,after trees or commits of the repository */
export async function stepChanges(
  { git, repository }: Pick<StepContext, 'git' | 'repository'>,
  before: string,
  after: string,
): Promise<StepChanges> {
  const changes = await changesBetween({ git, root: repository.root, env: {} }, before, after, maxDiffBytes);
  const changed = changes.files.slice(0, maxListed).map(({ path, status, added, removed, binary }) => ({
    path: path.toWellFormed(),
    status,
    added: binary === true ? null : added,
    removed: binary === true ? null : removed,
  }));
  return { changed, artifacts: changeArtifacts(changes) };
}
