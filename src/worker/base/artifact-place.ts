// The folder below its workspace in which an agent leaves files that become artifacts of its task.

export const artifactPlace = '.switchyard/artifacts';
/** Keeps the folder out of commits of everything. It is the worker's, so agents' tools neither list nor change it. */
export const artifactMarker = `${artifactPlace}/.gitignore`;
