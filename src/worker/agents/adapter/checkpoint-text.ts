// The form in which an agent finds a checkpoint.

/** The environment variable with the path of the checkpoint file. */
export const checkpointVariable = 'SWITCHYARD_CHECKPOINT';

/** The text of a checkpoint, in the file and in a prompt. */
export function checkpointText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
