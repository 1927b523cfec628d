// Classifies an agent's message about a failure: limit reached, model unreachable, model refused, or anything else.
// runs-19.
import type { AttemptFailure } from '../adapter/adapter.ts';

const refused =
  /\b40[13]\b|unauthori[sz]ed|forbidden|(invalid|incorrect|missing|no) (x-)?api[ _-]?key|not logged in|\/login/i;
const unreachable = new RegExp(
  [
    'ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE',
    'connection (was )?(refused|reset|failed|closed|error|timed out)',
    '(unable|failed|cannot|could not|can.t) (to )?(connect|reach)',
    'error sending request|fetch failed|socket hang up|network|name resolution|stream disconnected',
    'request timed out|\\b50[0-4]\\b|\\b52\\d\\b|overloaded|bad gateway|service unavailable|gateway timeout',
  ].join('|'),
  'i',
);

const limited =
  /\b429\b|too many requests|rate[ _-]?limit|(usage|session|weekly|hit your|reached your) limit|quota (was )?(exceeded|reached)/i;
/** `try again in 3 days 4 hours`, `retry after 30 seconds`. */
const waitTime =
  /\b(?:again in|after|reset(?:s|ting)? in)\s+((?:\d+\s*(?:days?|d|hours?|h|minutes?|min|m|seconds?|s)\b[\s,]*(?:and\s+)?)+)/i;
const unitSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
/** A longer time is a misreading: limits of providers end sooner. */
const longestWaitSeconds = 30 * 86_400;

const maxMessageChars = 4_000;

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > maxMessageChars ? `${trimmed.slice(0, maxMessageChars)} …` : trimmed;
}

/** The end of a limit that lasts this many seconds from `now`; undefined where the number makes no sense. */
export function retryTime(seconds: number, now: number): string | undefined {
  if (!(seconds >= 0 && seconds <= longestWaitSeconds)) return undefined;
  return new Date(now + seconds * 1000).toISOString();
}

function statedWait(message: string): number | undefined {
  const stated = waitTime.exec(message)?.[1];
  if (stated === undefined) return undefined;
  return [...stated.matchAll(/(\d+)\s*([a-z])/gi)].reduce(
    (sum, [, count = '', unit = '']) => sum + Number(count) * (unitSeconds[unit.toLowerCase()] ?? 0),
    0,
  );
}

/** The failure of an agent whose provider has limited it. @param retryAt ISO 8601; undefined: not stated */
export function rateLimited(agent: string, reason: string, retryAt: string | undefined): AttemptFailure {
  const message = `The model provider has limited ${agent}: ${cut(reason)}`;
  return { code: 'rate_limited', message, ...(retryAt !== undefined && { retry_at: retryAt }) };
}

/** Whether a message like this comes from an unreachable model. */
export function isUnreachableMessage(message: string): boolean {
  return unreachable.test(message) && !refused.test(message);
}

/**
 * The error of an attempt, from the agent's own message.
 * @param agent its name, for the message
 */
export function classifyFailure(agent: string, message: string): AttemptFailure {
  const reason = cut(message) || 'no reason given';
  if (limited.test(reason) && !/\b40[13]\b/.test(reason)) {
    const seconds = statedWait(reason);
    return rateLimited(agent, reason, seconds === undefined ? undefined : retryTime(seconds, Date.now()));
  }
  if (refused.test(reason)) {
    return { code: 'model_refused', message: `The model did not accept ${agent}'s credentials: ${reason}` };
  }
  if (isUnreachableMessage(reason)) {
    return { code: 'model_unreachable', message: `${agent} could not reach its model: ${reason}` };
  }
  return { code: 'agent_error', message: `${agent} failed: ${reason}` };
}
