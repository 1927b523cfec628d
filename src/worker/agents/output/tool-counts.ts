// Counts the tools that an agent uses, for the statistics of its session. core-2.7.
import type { AgentReport, ToolCounts } from '../adapter/adapter.ts';

/** Most tool names that are counted separately; further ones share one count. */
const maxTools = 100;
const others = 'other';
const maxNameChars = 200;

/** Counts a tool call. Must be called once per call, when it begins or is first reported. */
export function countToolCall(report: AgentReport, tool: string): void {
  findToolCounts(report, tool).calls += 1;
}

/** Counts the failure of a call that was counted before. */
export function countToolFailure(report: AgentReport, tool: string): void {
  findToolCounts(report, tool).failed += 1;
}

function findToolCounts(report: AgentReport, tool: string): ToolCounts {
  report.tools ??= new Map();
  const name = tool.slice(0, maxNameChars).toWellFormed().replaceAll('\0', '') || others;
  const key = report.tools.has(name) || report.tools.size < maxTools ? name : others;
  const counts = report.tools.get(key) ?? { calls: 0, failed: 0 };
  report.tools.set(key, counts);
  return counts;
}
