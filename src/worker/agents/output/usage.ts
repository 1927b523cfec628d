// Adds up the usage of model calls that agents report.
import type { AgentUsage } from '../adapter/adapter.ts';

/** The usage of a session since it had used `before`; never negative. */
export function usageSince(total: AgentUsage, before: AgentUsage): AgentUsage {
  const since = (key: 'input_tokens' | 'cached_tokens' | 'output_tokens'): number =>
    Math.max(0, (total[key] ?? 0) - (before[key] ?? 0));
  return {
    input_tokens: since('input_tokens'),
    cached_tokens: since('cached_tokens'),
    output_tokens: since('output_tokens'),
  };
}

export interface ModelCallUsage {
  /** All prompt tokens, including those from a cache. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** US dollars; agents report 0 where they know no price. */
  readonly cost: number;
}

/** The usage so far plus one more call. */
export function addUsage(usage: AgentUsage | undefined, spent: ModelCallUsage): AgentUsage {
  const cost = (usage?.cost_usd ?? 0) + Math.max(0, spent.cost);
  return {
    input_tokens: (usage?.input_tokens ?? 0) + Math.max(0, Math.round(spent.input)),
    cached_tokens: (usage?.cached_tokens ?? 0) + Math.max(0, Math.round(spent.cached)),
    output_tokens: (usage?.output_tokens ?? 0) + Math.max(0, Math.round(spent.output)),
    ...(cost > 0 && { cost_usd: cost }),
  };
}
