// Adds up what an agent says its model calls used.
import type { AgentUsage } from '../adapter/adapter.ts';

/** What a session used since it had used that much; never below nothing. */
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
  /** All tokens of the prompts, those from a cache included. */
  input: number;
  cached: number;
  output: number;
  /** US dollars; agents say 0 where they know no price. */
  cost: number;
}

/** The usage so far and one more call. */
export function addUsage(usage: AgentUsage | undefined, spent: ModelCallUsage): AgentUsage {
  const cost = (usage?.cost_usd ?? 0) + Math.max(0, spent.cost);
  return {
    input_tokens: (usage?.input_tokens ?? 0) + Math.max(0, Math.round(spent.input)),
    cached_tokens: (usage?.cached_tokens ?? 0) + Math.max(0, Math.round(spent.cached)),
    output_tokens: (usage?.output_tokens ?? 0) + Math.max(0, Math.round(spent.output)),
    ...(cost > 0 && { cost_usd: cost }),
  };
}
