// Addresses that a caller names for the service to send to: refused at once where something is known against them.
import type { PushTarget } from '../../model/delivery.ts';
import type { EgressRule } from '../../ports/egress.ts';
import { invalidField } from './invalid-field.ts';

/** @throws DomainError invalid. choices-8 */
export function checkWebhookUrl(egress: EgressRule, url: string | null): void {
  const refusal = url === null ? undefined : egress.refusal(url);
  if (refusal !== undefined) throw invalidField('/webhook_url', refusal);
}

/** @throws DomainError invalid for an address that is refused, or what fits into no header */
export function checkPushTarget(egress: EgressRule, target: PushTarget): void {
  const refusal = egress.refusal(target.url);
  if (refusal !== undefined) throw invalidField('/pushNotificationConfig/url', refusal);
  if (![target.token, target.credentials].every((text) => text === null || /^[\x20-\x7e]*$/.test(text))) {
    throw invalidField(
      '/pushNotificationConfig',
      'has a token or credentials with more than printable ASCII characters',
    );
  }
  if (target.scheme === null && target.credentials !== null) {
    throw invalidField('/pushNotificationConfig/authentication', 'has credentials and names no scheme for them');
  }
  if (target.scheme !== null && !/^[\w!#$%&'*+.^`|~-]+$/.test(target.scheme)) {
    throw invalidField('/pushNotificationConfig/authentication', 'must name a scheme');
  }
}
