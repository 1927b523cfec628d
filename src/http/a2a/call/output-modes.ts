// Checks the output modes that a caller accepts against those that a task can produce. a2a v0.3 §7.1.2.
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { outputModes } from '../card/card-formats.ts';

/** The names that older callers use instead of media types. */
const legacyModes: Readonly<Record<string, string>> = { text: 'text/*', data: 'application/json', file: '*/*' };

/**
 * Rejects a send when none of the accepted output modes can be produced.
 * @param accepted media types, `text/*` or any type; an empty list accepts everything
 * @throws ContentTypeNotSupportedError
 */
export function checkOutputModes(accepted: readonly string[]): void {
  if (accepted.length === 0 || accepted.some((mode) => outputModes.some((supported) => accepts(mode, supported))))
    return;
  throw new ContentTypeNotSupportedError(
    `None of the accepted output modes is available. Accept one of: ${outputModes.join(', ')}.`,
  );
}

function accepts(mode: string, supported: string): boolean {
  const given = (mode.split(';')[0] ?? '').trim().toLowerCase();
  const wanted = legacyModes[given] ?? given;
  if (wanted === '*/*' || wanted === '*') return true;
  return wanted.endsWith('/*') ? supported.startsWith(wanted.slice(0, -1)) : wanted === supported;
}
