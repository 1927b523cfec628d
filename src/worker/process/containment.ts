// By what the processes of a run are found and ended: the strongest means that this machine offers.
import { groupPath, isGroupOfTag, removeGroup } from './cgroup.ts';
import type { ProcessTree } from './process-tree.ts';

/** Chosen once, when a worker starts. */
export type Containment =
  /** A control group for each run, below this one. */
  | { kind: 'cgroup'; parent: string }
  /** A process above each program that adopts its orphans; this perl is its interpreter. */
  | { kind: 'subreaper'; perl: string }
  /** Process group, session, environment and descent alone. */
  | { kind: 'none' };

/** Of one run. */
export type AttemptContainment = { tag: string } & (
  { kind: 'cgroup'; group: string } | { kind: 'subreaper'; perl: string } | { kind: 'none' }
);

/** @param tag a random word, unique to the run; it stands in the environment of its processes */
export function containAttempt(containment: Containment, tag: string): AttemptContainment {
  if (containment.kind === 'cgroup') return { tag, kind: 'cgroup', group: groupPath(containment.parent, tag) };
  return { tag, ...containment };
}

/** @param leader process id of the program that was started; undefined: all programs of the run are meant */
export function toProcessTree(contained: AttemptContainment, leader?: number): ProcessTree {
  return { leader, tag: contained.tag, group: contained.kind === 'cgroup' ? contained.group : undefined };
}

/** What a run's record says of where its processes are, as far as it is true. */
export function recordedTree(tag: string, group: string | undefined): ProcessTree {
  return { leader: undefined, tag, group: group !== undefined && isGroupOfTag(group, tag) ? group : undefined };
}

/** Takes away what was made for a run, once its processes have ended. */
export async function removeContainment({ group }: Pick<ProcessTree, 'group'>): Promise<void> {
  if (group !== undefined) await removeGroup(group);
}
