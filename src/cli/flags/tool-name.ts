// How a tool is named on the command line: `tool_id`, or `tool_id@version`.

export const toolHelp = 'its tool_id; tool_id@version names a version';

/** No tool_id has an @. Without a version the one that a run takes is meant; to revoke, all of them. */
export function parseToolName(toolReference: string): {
  readonly toolId: string;
  readonly version: string | undefined;
} {
  const at = toolReference.indexOf('@');
  return at < 0
    ? { toolId: toolReference, version: undefined }
    : { toolId: toolReference.slice(0, at), version: toolReference.slice(at + 1) };
}
