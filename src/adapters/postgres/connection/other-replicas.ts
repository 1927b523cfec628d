// Which other replicas are there, by what was heard of them: without any, no hint needs to leave this process.

/** Beats that a replica may be silent before it counts as gone. */
const maxMissedHeartbeats = 4;

export class OtherReplicas {
  readonly #missedHeartbeats = new Map<string, number>();

  get any(): boolean {
    return this.#missedHeartbeats.size > 0;
  }

  /** Notes a sign of life. @returns true when it was not known: hints may have been missed on both sides */
  markSeen(replicaId: string): boolean {
    const isNew = !this.#missedHeartbeats.has(replicaId);
    this.#missedHeartbeats.set(replicaId, 0);
    return isNew;
  }

  /** Called at each beat of our own. */
  tick(): void {
    for (const [replicaId, missed] of this.#missedHeartbeats) {
      if (missed >= maxMissedHeartbeats) this.#missedHeartbeats.delete(replicaId);
      else this.#missedHeartbeats.set(replicaId, missed + 1);
    }
  }

  forgetAll(): void {
    this.#missedHeartbeats.clear();
  }
}
