// The rights that the `agent_type` of a task gives its agent. choices-5.

const readingTypes = new Set(['plan', 'explore', 'general']);

/** True for `plan`, `explore` and `general`; `build` and every other type may write. */
export function mayOnlyRead(agentType: string | null): boolean {
  return agentType !== null && readingTypes.has(agentType);
}
