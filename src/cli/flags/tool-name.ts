// How a tool is named on the command line: `tool_id`, or `tool_id@version`.

export const toolHelp = 'its tool_id; tool_id@version names a version';

/** No tool_id has an @. Without a version the one that a run takes is meant; to revoke, all of them. */
export function namedTool(word: string): { readonly toolId: string; readonly version: string | undefined } {
  const at = word.indexOf('@');
  return at < 0 ? { toolId: word, version: undefined } : { toolId: word.slice(0, at), version: word.slice(at + 1) };
}
