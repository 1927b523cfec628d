// One attempt at one delivery: builds the request, sends it and interprets the response.
import type { DeliveryOutcome, DueDelivery } from '../ports/store/deliveries.ts';
import type { Egress, EgressAnswer } from '../ports/egress.ts';
import type { Signer } from './sign.ts';

/** choices-8. */
const timeoutMs = 10_000;
/** Only the status of a response is used. Short bodies are read to the end so that the connection can be reused. */
const maxAnswerBytes = 16 * 1024;

export interface AttemptDeps {
  readonly egress: Pick<Egress, 'send'>;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly backoffSeconds: number;
  /** Value of the `User-Agent` header. */
  readonly userAgent: string;
}

/** @returns the outcome; undefined when `signal` aborted the attempt */
export async function attemptDelivery(
  deps: AttemptDeps,
  due: DueDelivery & { readonly body: string },
  sign: Signer,
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const answer = await deps.egress.send({
    url: due.url,
    method: 'POST',
    headers: buildHeaders(deps, due, sign),
    body: due.body,
    timeoutMs,
    maxAnswerBytes,
    signal,
  });
  if (signal.aborted && answer.outcome === 'failed') return undefined;
  return toDeliveryOutcome(deps, due, answer);
}

function buildHeaders(
  deps: AttemptDeps,
  due: DueDelivery & { readonly body: string },
  sign: Signer,
): Record<string, string> {
  const { target } = due;
  const message = { id: due.deliveryId, atSeconds: Math.floor(deps.now() / 1000), body: due.body };
  const common = {
    'content-type': due.contentType,
    'user-agent': deps.userAgent,
    ...(due.traceparent === null ? {} : { traceparent: due.traceparent }),
  };
  // A push notification authenticates with the token or credentials of its config; its receiver has no signing secret.
  if (target === null) return { ...common, ...sign(message) };
  return {
    ...common,
    'webhook-id': message.id,
    'webhook-timestamp': String(message.atSeconds),
    ...(target.token === null ? {} : { 'x-a2a-notification-token': target.token }),
    ...(target.scheme === null || target.credentials === null
      ? {}
      : { authorization: `${target.scheme} ${target.credentials}` }),
  };
}

function toDeliveryOutcome(deps: AttemptDeps, due: DueDelivery, answer: EgressAnswer): DeliveryOutcome {
  const { taskId, deliveryId, epoch, tries } = due;
  const statusCode = answer.outcome === 'answered' ? answer.statusCode : null;
  const error = answer.outcome === 'answered' ? describeFailure(answer.statusCode) : answer.reason;
  const waitSeconds = retryDelaySeconds(deps, tries);
  return { taskId, deliveryId, epoch, delivered: error === null, statusCode, error, waitSeconds };
}

/** @returns null for 2xx */
function describeFailure(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}

/** Doubles with each attempt, with ±50 % jitter so that receivers that failed together are not retried together. */
export function retryDelaySeconds(deps: Pick<AttemptDeps, 'backoffSeconds' | 'random'>, tries: number): number {
  return deps.backoffSeconds * 2 ** (tries - 1) * (0.5 + deps.random());
}
