// Helpers of the audit's tests: files of their own, entries as they stand in them.
import { readFile } from 'node:fs/promises';
import type { AuditLine } from '../../../src/domain/model/audit-line.ts';
import type { TestService, TestUser } from '../service.ts';

/** The entries of an audit file, in order; not what a full disk has left of a line. */
export async function linesOf(file: string): Promise<AuditLine[]> {
  const text = await readFile(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): AuditLine => JSON.parse(line));
}

/** The entries of a service's file whose metadata names this request. */
export async function entriesOf(service: TestService, requestId: string | null): Promise<AuditLine[]> {
  return (await linesOf(service.config.audit.logPath)).filter((line) => line.metadata['request_id'] === requestId);
}

/** The newest events that a caller sees. */
export async function eventsOf(
  service: TestService,
  as: TestUser,
  headers: Record<string, string> = {},
): Promise<AuditLine[]> {
  const reply = await service.call('GET', '/v1/audit/events?limit=200', { as, headers });
  if (reply.status !== 200) throw new Error(`no events: ${JSON.stringify(reply.body)}`);
  return reply.body.events;
}
