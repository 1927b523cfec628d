// What a caller accepts as output, against what a task may leave. a2a v0.3 §7.1.2.
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { outputModes } from '../card/card-formats.ts';

/** What older callers write in place of a media type. */
const legacyModes: Readonly<Record<string, string>> = { text: 'text/*', data: 'application/json', file: '*/*' };

/**
 * An agent is told which modes its caller accepts; where it could leave none of them, nothing is begun.
 * @param accepted media types, `text/*`, any type; none: whatever there is
 * @throws ContentTypeNotSupportedError
 */
export function checkOutputModes(accepted: readonly string[]): void {
  if (accepted.length === 0 || accepted.some((mode) => outputModes.some((supported) => accepts(mode, supported))))
    return;
  throw new ContentTypeNotSupportedError(
    `Tasks leave ${outputModes.join(', ')}; none of these is among the accepted output modes.`,
  );
}

function accepts(mode: string, supported: string): boolean {
  const given = (mode.split(';')[0] ?? '').trim().toLowerCase();
  const wanted = legacyModes[given] ?? given;
  if (wanted === '*/*' || wanted === '*') return true;
  return wanted.endsWith('/*') ? supported.startsWith(wanted.slice(0, -1)) : wanted === supported;
}
