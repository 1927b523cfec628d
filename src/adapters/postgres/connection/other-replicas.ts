// The other replicas that have sent heartbeats lately. Without any, no hint needs to leave this process.

/** Missed heartbeats after which a replica counts as gone. */
const maxMissedHeartbeats = 4;

export class OtherReplicas {
  readonly #missedHeartbeats = new Map<string, number>();

  get any(): boolean {
    return this.#missedHeartbeats.size > 0;
  }

  /** Records a heartbeat. @returns true for an unknown replica: both sides may have missed hints */
  markSeen(replicaId: string): boolean {
    const isNew = !this.#missedHeartbeats.has(replicaId);
    this.#missedHeartbeats.set(replicaId, 0);
    return isNew;
  }

  /** Called at each heartbeat of this replica. */
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
