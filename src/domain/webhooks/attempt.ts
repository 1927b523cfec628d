// One attempt at one delivery: the request as it goes out, and what its answer means.
import type { DeliveryOutcome, DueDelivery } from '../ports/store/deliveries.ts';
import type { Egress, EgressAnswer } from '../ports/egress.ts';
import type { Signer } from './sign.ts';

/** choices-8. */
const timeoutMs = 10_000;
/** Nothing of an answer but its status is used; a short one is read so that the connection may stay. */
const maxAnswerBytes = 16 * 1024;

export interface AttemptDeps {
  readonly egress: Pick<Egress, 'send'>;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly backoffSeconds: number;
  /** What the service calls itself. */
  readonly userAgent: string;
}

/** @returns the outcome; undefined when it was broken off by `signal` */
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
  // A notification is proven by what its config names; its receiver has no secret of ours.
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

/** Null for 2xx. */
function describeFailure(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}

/** Doubles with each attempt, half of it by chance: receivers that failed together are not tried again together. */
export function retryDelaySeconds(deps: Pick<AttemptDeps, 'backoffSeconds' | 'random'>, tries: number): number {
  return deps.backoffSeconds * 2 ** (tries - 1) * (0.5 + deps.random());
}
