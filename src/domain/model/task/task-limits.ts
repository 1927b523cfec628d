// The limits of tasks. This is their only definition: the installation of the database's functions generates SQL functions
// of those that the database needs too (adapters/postgres/schema/generated-functions.ts).

export const taskLimits = {
  /** Bytes of messages of one task. A claim returns no more than this either, unless it returns a single task. */
  messageBytes: 32 * 1024 * 1024,
  /** Bytes of artifacts that are answered with their task; artifacts beyond are listed without content. */
  inlineArtifactBytes: 32 * 1024 * 1024,
  /** The release at which a task fails. choices-2. */
  releases: 20,
  /** How long a worker is not offered a task that it released. */
  holdSeconds: 30,
  /** How long artifacts of a cancelled attempt are still accepted. */
  lateArtifactSeconds: 10,
  /** First event number of a release itself: above all numbers that a worker may have used. */
  firstReleaseNumber: 2 ** 52,
} as const;
