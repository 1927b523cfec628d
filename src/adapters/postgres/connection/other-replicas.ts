// Which other replicas are there, by what was heard of them: without any, no hint needs to leave this process.

/** Beats that a replica may be silent before it counts as gone. */
const patience = 4;

export class OtherReplicas {
  readonly #silentBeats = new Map<string, number>();

  get some(): boolean {
    return this.#silentBeats.size > 0;
  }

  /** Notes a sign of life. @returns true when it was not known: hints may have been missed on both sides */
  heard(replicaId: string): boolean {
    const isNew = !this.#silentBeats.has(replicaId);
    this.#silentBeats.set(replicaId, 0);
    return isNew;
  }

  /** Called at each beat of our own. */
  beat(): void {
    for (const [replicaId, silent] of this.#silentBeats) {
      if (silent >= patience) this.#silentBeats.delete(replicaId);
      else this.#silentBeats.set(replicaId, silent + 1);
    }
  }

  forgetAll(): void {
    this.#silentBeats.clear();
  }
}
