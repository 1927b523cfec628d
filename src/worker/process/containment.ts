// By what the processes of a run are found and ended: the strongest means that this machine offers.
import { groupOf, isGroupOf, removeGroup } from './cgroup.ts';
import type { RunTree } from './tree.ts';

/** Chosen once, when a worker starts. */
export type Containment =
  /** A control group for each run, below this one. */
  | { kind: 'cgroup'; parent: string }
  /** A process above each program that adopts its orphans; this perl is its interpreter. */
  | { kind: 'subreaper'; perl: string }
  /** Process group, session, environment and descent alone. */
  | { kind: 'none' };

/** Of one run. */
export type RunContainment = { tag: string } & (
  { kind: 'cgroup'; group: string } | { kind: 'subreaper'; perl: string } | { kind: 'none' }
);

/** @param tag a random word, unique to the run; it stands in the environment of its processes */
export function containRun(containment: Containment, tag: string): RunContainment {
  if (containment.kind === 'cgroup') return { tag, kind: 'cgroup', group: groupOf(containment.parent, tag) };
  return { tag, ...containment };
}

/** @param leader process id of the program that was started; undefined: all programs of the run are meant */
export function treeOf(contained: RunContainment, leader?: number): RunTree {
  return { leader, tag: contained.tag, group: contained.kind === 'cgroup' ? contained.group : undefined };
}

/** What a run's record says of where its processes are, as far as it is true. */
export function recordedTree(tag: string, group: string | undefined): RunTree {
  return { leader: undefined, tag, group: group !== undefined && isGroupOf(group, tag) ? group : undefined };
}

/** Takes away what was made for a run, once its processes have ended. */
export async function releaseRun({ group }: Pick<RunTree, 'group'>): Promise<void> {
  if (group !== undefined) await removeGroup(group);
}
