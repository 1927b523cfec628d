// Makes an event from a draft: id, time, channel. A draft with a fault becomes an error.
import { minorDigitsOf } from '../../../lib/money/currency.ts';
import { classifyTouch } from '../../attribution/channels/classify-touch.ts';
import type { AnalyticsEvent, EventDraft } from '../../model/analytics/event.ts';
import { DomainError } from '../../model/errors.ts';
import { dayMs, hourMs, type AnalyticsDeps } from '../analytics-deps.ts';

const maxPropertiesBytes = 16 * 1024;

/** @returns the event, or the error that refuses it: in a batch one does not stop the others */
export function prepareEvent(deps: AnalyticsDeps, draft: EventDraft): AnalyticsEvent | DomainError {
  const now = deps.now();
  const { timestamp, ...fields } = draft;
  const error = findFault(draft);
  if (error !== undefined) return error;
  const at = timestamp === null ? now : Date.parse(timestamp);
  if (at < now - deps.retentionDays * dayMs) return tooOld(deps.retentionDays);
  const { campaign, page } = draft;
  const arrival = { campaign: campaign ?? {}, referrer: page?.referrer, url: page?.url };
  return {
    ...fields,
    eventId: deps.makeId(),
    // A clock may be ahead; one that is ahead by more than an hour is wrong.
    at: new Date(at > now + hourMs ? now : at).toISOString(),
    channel: classifyTouch(arrival, deps.channelHosts) ?? null,
  };
}

function findFault({
  anonymousId,
  userId,
  timestamp,
  properties,
  value,
  currency,
}: EventDraft): DomainError | undefined {
  if (anonymousId === null && userId === null) return invalid('/user_id', 'or /anonymous_id is required');
  if (timestamp !== null && Number.isNaN(Date.parse(timestamp)))
    return invalid('/timestamp', 'must be a time that exists');
  if (Buffer.byteLength(JSON.stringify(properties)) > maxPropertiesBytes) {
    return invalid('/properties', 'may be at most 16 KiB as JSON');
  }
  if (currency === null) return undefined;
  if (value === null) return invalid('/currency', 'needs a value');
  if (minorDigitsOf(currency) === undefined) return invalid('/currency', 'must be a code of ISO 4217, such as EUR');
  return undefined;
}

function invalid(path: string, message: string): DomainError {
  const detail = `The event is not valid: ${path} ${message}.`;
  return new DomainError('invalid', 'invalid_request', detail, { errors: [{ path, message }] });
}

function tooOld(days: number): DomainError {
  const message = `is older than ${days} days, which is how long events are kept`;
  const detail = `The event is not stored: /timestamp ${message}. Leave such events out.`;
  return new DomainError('invalid', 'too_old', detail, { errors: [{ path: '/timestamp', message }] });
}
