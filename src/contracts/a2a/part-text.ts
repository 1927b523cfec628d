// Renders a part of a message as text, for agents that cannot read files. Service and worker share it, so that a worker
// recognises a task's prompt in its first message.
import type { PartWire } from '../task.ts';

/** The text itself; data as JSON; a file by its name, type and address. */
export function partText(part: PartWire): string {
  if ('text' in part) return part.text;
  if ('data' in part) return JSON.stringify(part.data, undefined, 2);
  const { name, mime_type: type, uri } = part.file;
  return `[file ${[name, type, uri].filter((value) => value !== undefined).join(', ')}]`;
}
