// A policy query as the policy's input document: the request body, and the cache key of the decision.
import type { PolicyQuery } from '../../domain/ports/policy.ts';

/**
 * The request body for a question. Equal questions have equal texts, whatever the order of roles, scopes and
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
