// The limits of tasks that code and database share. They stand here alone: the database has them as functions, written
// when the functions are installed (adapters/postgres/generated-functions.ts).

export const taskLimits = {
  /** Bytes of messages that a task holds; a claim hands out no more either, unless it hands out one task. */
  messageBytes: 32 * 1024 * 1024,
  /** A task fails with this release. choices-2. */
  releases: 20,
  /** How long a worker is not offered a task that it released. */
  holdSeconds: 30,
  /** How long artifacts of a cancelled run are still taken. */
  lateArtifactSeconds: 10,
  /** Numbers of events from here on are a release's own: they come after all that a worker may have numbered. */
  firstReleaseNumber: 2 ** 52,
} as const;
