// What a task's `agent_type` allows its agent to do. choices-5.

const readingTypes = new Set(['plan', 'explore', 'general']);

/** `plan`, `explore` and `general` read; `build` and everything else may write. */
export function mayOnlyRead(agentType: string | null): boolean {
  return agentType !== null && readingTypes.has(agentType);
}
