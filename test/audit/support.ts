// What the tests of the audit share: files of their own, entries as they stand in them.
import { readFile } from 'node:fs/promises';
import type { AuditLine } from '../../src/domain/model/audit-line.ts';
import type { House, Who } from '../house.ts';

/** The entries of an audit file, in order; not what a full disk has left of a line. */
export async function linesOf(file: string): Promise<AuditLine[]> {
  const text = await readFile(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): AuditLine => JSON.parse(line));
}

/** The entries of a house's file whose metadata names this request. */
export async function entriesOf(house: House, requestId: string | null): Promise<AuditLine[]> {
  return (await linesOf(house.config.audit.logPath)).filter((line) => line.metadata['request_id'] === requestId);
}

/** The newest events that a caller sees. */
export async function eventsOf(house: House, as: Who, headers: Record<string, string> = {}): Promise<AuditLine[]> {
  const reply = await house.call('GET', '/v1/audit/events?limit=200', { as, headers });
  if (reply.status !== 200) throw new Error(`no events: ${JSON.stringify(reply.body)}`);
  return reply.body.events;
}
