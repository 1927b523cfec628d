// How the processes of an attempt are found and ended: the strongest means that this machine offers.
import { groupPath, isGroupOfTag, removeGroup } from './cgroup.ts';
import type { ProcessTree } from './process-tree.ts';

/** Chosen once, at the start of a worker. */
export type Containment =
  /** A control group for each attempt, below this one. */
  | { kind: 'cgroup'; parent: string }
  /** A process above each program that adopts its orphans, run by this perl. */
  | { kind: 'subreaper'; perl: string }
  /** Only process group, session, environment and descent. */
  | { kind: 'none' };

/** The containment of one attempt. */
export type AttemptContainment = { tag: string } & (
  { kind: 'cgroup'; group: string } | { kind: 'subreaper'; perl: string } | { kind: 'none' }
);

/** @param tag a random id, unique to the attempt, in the environment of its processes */
export function containAttempt(containment: Containment, tag: string): AttemptContainment {
  if (containment.kind === 'cgroup') return { tag, kind: 'cgroup', group: groupPath(containment.parent, tag) };
  return { tag, ...containment };
}

/** @param leader process id of the started program; undefined: all programs of the attempt */
export function toProcessTree(contained: AttemptContainment, leader?: number): ProcessTree {
  return { leader, tag: contained.tag, group: contained.kind === 'cgroup' ? contained.group : undefined };
}

/** The processes of an attempt by its record, as far as the record is valid. */
export function recordedTree(tag: string, group: string | undefined): ProcessTree {
  return { leader: undefined, tag, group: group !== undefined && isGroupOfTag(group, tag) ? group : undefined };
}

/** Removes what was made for an attempt, once its processes have ended. */
export async function removeContainment({ group }: Pick<ProcessTree, 'group'>): Promise<void> {
  if (group !== undefined) await removeGroup(group);
}
