// Counts the tools that an agent uses, for the statistics of its session. core-2.7.
import type { AgentReport, ToolCounts } from '../adapter/adapter.ts';

/** Names of tools that are told apart: what an agent invents beyond that is counted together. */
const maxTools = 100;
const others = 'other';
const maxNameChars = 200;

/** A tool is used. To be called once for each use, when it begins or when it is first heard of. */
export function countToolCall(report: AgentReport, tool: string): void {
  findToolCounts(report, tool).calls += 1;
}

/** A use that was counted has failed. */
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
