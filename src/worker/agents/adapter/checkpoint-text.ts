// How a checkpoint looks to an agent: where it finds it, and in which words.

/** The environment variable that names the file with it. */
export const checkpointVariable = 'SWITCHYARD_CHECKPOINT';

/** What a checkpoint looks like in the file, and in a prompt. */
export function checkpointText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
