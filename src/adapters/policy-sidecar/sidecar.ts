// Policy decisions of an external policy server: queried over HTTP, cached briefly, denied when it is unavailable.
import { unavailable } from '../../domain/model/errors.ts';
import type { Policy, PolicyQuery } from '../../domain/ports/policy.ts';
import { DecisionCache } from './decision-cache.ts';
import { openPolicyClient } from './policy-client.ts';

export interface PolicySidecarOptions {
  /** Address of the decision, queried with POST as in Open Policy Agent's data API. choices-1. */
  readonly url: string;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** Called for every request to the server that returned no decision. */
  readonly failed: () => void;
}

/** Deadline of a request. */
const deadlineMs = 2_000;
/** How long a decision is cached, counted from its request. */
const rememberedMs = 5_000;
/** About 500 bytes each. */
const rememberedDecisions = 10_000;

/**
 * Queries the policy server. Equal concurrent questions share a request. A decision is cached for five seconds under the
 * whole question. Failures are not cached, so that a recovered server is used at once. Without a decision the call is
 * denied with `policy_unavailable`.
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
      if (!deciding) log('policy server available again');
      deciding = true;
      return decision;
    } catch (cause) {
      failed();
      // Callers do not learn the reason. The operator does, once per outage.
      if (deciding) log('policy server unavailable: denying all calls', cause);
      deciding = false;
      throw unavailable(
        'policy_unavailable',
        'The policy server is unavailable, so this call was denied. Try again.',
        1,
        cause,
      );
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

/**
 * A question as the policy's input document: the request body, and the cache key of the decision. Equal questions have equal texts, whatever the order of roles, scopes and
 * permissions. Different questions have different texts, for the text contains the whole question.
 */
export function questionText(question: PolicyQuery): string {
  return JSON.stringify({
    input: {
      subject: question.subject,
      roles: question.roles.toSorted(),
      scopes: question.scopes?.toSorted() ?? null,
      tenant_id: question.tenantId,
      permissions: question.permissions.toSorted(),
      resource_tenant_id: question.resourceTenantId,
      owner: question.owner,
    },
  });
}
