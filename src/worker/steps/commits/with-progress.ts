// progress.txt in a story's commit, for a run that commits it: as the service renders it, never as an agent left it. runs-9.
import { join } from 'node:path';
import type { StepContext } from '../step-context.ts';

const ownName = 'progress.txt';
const asideFolder = '.switchyard';

/** The path of our file: aside if the repository had a file of that name when the run began. */
export async function findProgressPath({ git, repository, step }: StepContext): Promise<string> {
  const list = ['ls-tree', '--name-only', step.run_base || step.base, '--', ownName];
  const isTracked = (await git.line(list, { cwd: repository.root })) !== '';
  return isTracked ? join(asideFolder, ownName) : ownName;
}

/** The tree with the step's progress.txt in it; the same tree where the run does not commit it. */
export async function withProgress(context: StepContext, tree: string): Promise<string> {
  const { git, repository, folder, step } = context;
  if (!step.commit_progress) return tree;
  const { root } = repository;
  const path = await findProgressPath(context);
  // A repository may have a file in the place of the folder: its own file stays.
  const inTheWay = path === ownName ? '' : await git.line(['ls-tree', tree, '--', asideFolder], { cwd: root });
  if (inTheWay !== '' && !inTheWay.includes(' tree ')) return tree;
  const blob = await git.line(['hash-object', '-w', '--stdin'], { cwd: root, input: step.progress });
  const call = { cwd: root, env: { GIT_INDEX_FILE: join(folder.path, 'progress-index') } };
  await git.run(['read-tree', tree], call);
  await git.run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], call);
  return git.line(['write-tree', '--missing-ok'], call);
}
