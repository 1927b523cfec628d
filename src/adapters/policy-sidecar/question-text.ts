// A question in the words of the policy's input document: what is sent, and what a decision is remembered under.
import type { PolicyQuery } from '../../domain/ports/policy.ts';

/**
 * The request body for a question. Equal questions have equal texts, whatever the order of roles, scopes and
 * permissions; questions that differ in anything have different ones, for the text is the whole question.
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
