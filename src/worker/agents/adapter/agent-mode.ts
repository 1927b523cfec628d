// What the `agent_type` of a task allows its agent to do. choices-5.

const readingTypes = new Set(['plan', 'explore', 'general']);

/** True for `plan`, `explore` and `general`; `build` and every other type may write. */
export function mayOnlyRead(agentType: string | null): boolean {
  return agentType !== null && readingTypes.has(agentType);
}
