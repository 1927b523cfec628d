// The policy as a policy server decides it: asked over HTTP, remembered for a moment, refused when it does not decide.
import { unavailable } from '../../domain/model/errors.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import { DecisionCache } from './decision-cache.ts';
import { openPolicyClient } from './policy-client.ts';
import { questionText } from './question-text.ts';

export interface PolicySidecarOptions {
  /** Where the decision is asked for, with POST: Open Policy Agent's data API. choices-1. */
  readonly url: string;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** Hears of every request to the server that brought no decision. */
  readonly failed: () => void;
}

/** No decision within this time is none. */
const deadlineMs = 2_000;
/** How long a decision holds, from when it was asked for. */
const rememberedMs = 5_000;
/** At some 500 bytes each. */
const rememberedDecisions = 10_000;

/**
 * Asks the policy server. Equal questions that are asked at once share a request; a decision is remembered for five
 * seconds under the whole question; that there was none is not remembered, so a server that is back works at once.
 * Whatever is not a decision refuses, with `policy_unavailable`.
 */
export function openPolicySidecar({ url, now, log, failed }: PolicySidecarOptions): Policy & Disposable {
  const client = openPolicyClient(url, deadlineMs);
  const decisions = new DecisionCache(rememberedDecisions);
  const inFlight = new Map<string, Promise<boolean>>();
  let deciding = true;

  async function requestDecision(question: string): Promise<boolean> {
    const since = now();
    try {
      const decision = await client.decide(question);
      decisions.set(question, decision, since + rememberedMs);
      if (!deciding) log('the policy server decides again');
      deciding = true;
      return decision;
    } catch (cause) {
      failed();
      // Callers learn that nobody decides, not why. The operator does, once.
      if (deciding) log('the policy server does not decide: calls are refused', cause);
      deciding = false;
      throw unavailable('policy_unavailable', 'Nobody could decide whether you may do this. Try again.', 1, cause);
    } finally {
      inFlight.delete(question);
    }
  }

  return {
    allows(question) {
      const text = questionText(question);
      const known = decisions.get(text, now()) ?? inFlight.get(text);
      if (known !== undefined) return known;
      const answer = requestDecision(text);
      inFlight.set(text, answer);
      return answer;
    },
    [Symbol.dispose]: () => client.close(),
  };
}
