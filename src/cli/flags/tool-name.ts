// Parses the name of a tool on the command line: `tool_id`, or `tool_id@version`.

export const toolHelp = 'its tool_id; tool_id@version names a version';

/** A tool_id has no @. Without a version a run uses the highest usable one, and `revoke` revokes all. */
export function parseToolName(toolReference: string): {
  readonly toolId: string;
  readonly version: string | undefined;
} {
  const at = toolReference.indexOf('@');
  return at < 0
    ? { toolId: toolReference, version: undefined }
    : { toolId: toolReference.slice(0, at), version: toolReference.slice(at + 1) };
}
