// Classifies an agent's message about a failure: model unreachable, model refused, or anything else.
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

const maxMessageChars = 4_000;

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > maxMessageChars ? `${trimmed.slice(0, maxMessageChars)} …` : trimmed;
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
  if (refused.test(reason)) {
    return { code: 'model_refused', message: `The model did not accept ${agent}'s credentials: ${reason}` };
  }
  if (isUnreachableMessage(reason)) {
    return { code: 'model_unreachable', message: `${agent} could not reach its model: ${reason}` };
  }
  return { code: 'agent_error', message: `${agent} failed: ${reason}` };
}
