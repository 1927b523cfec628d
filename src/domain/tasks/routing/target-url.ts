// Checks URLs that a caller gives the service to send to; a URL that the egress rule rejects is refused at once.
import type { PushTarget } from '../../model/delivery.ts';
import type { EgressRule } from '../../ports/egress.ts';
import { invalidField } from './invalid-field.ts';

/** @throws DomainError invalid. choices-8 */
export function checkWebhookUrl(egress: EgressRule, url: string | null): void {
  const refusal = url === null ? undefined : egress.refusal(url);
  if (refusal !== undefined) throw invalidField('/webhook_url', refusal);
}

/** @throws DomainError invalid for a rejected URL, or a token or credentials that do not fit into a header */
export function checkPushTarget(egress: EgressRule, target: PushTarget): void {
  const refusal = egress.refusal(target.url);
  if (refusal !== undefined) throw invalidField('/pushNotificationConfig/url', refusal);
  if (![target.token, target.credentials].every((text) => text === null || /^[\x20-\x7e]*$/.test(text))) {
    throw invalidField(
      '/pushNotificationConfig',
      'must have a token and credentials of printable ASCII characters only',
    );
  }
  if (target.scheme === null && target.credentials !== null) {
    throw invalidField(
      '/pushNotificationConfig/authentication',
      'has credentials but names no scheme for them: name one',
    );
  }
  if (target.scheme !== null && !/^[\w!#$%&'*+.^`|~-]+$/.test(target.scheme)) {
    throw invalidField('/pushNotificationConfig/authentication', 'must name a scheme');
  }
}
