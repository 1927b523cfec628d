// Audit operations: list a tenant's entries, verify the chains. core-4.7, choices-3.
import type { z } from 'zod';
import { auditListQuery, auditPage, auditQuery, auditVerdict, type AuditEventWire } from '../../contracts/audit.ts';
import { id } from '../../contracts/common.ts';
import { readAudit, type AuditPage, type ReadDeps } from '../../domain/audit/read.ts';
import type { VerifiedChain } from '../../domain/audit/verify.ts';
import { invalidInput } from '../pipeline/schema.ts';
import { operation, type Operation } from '../pipeline/operation.ts';

export interface AuditDeps extends ReadDeps {
  readonly verify: () => Promise<readonly VerifiedChain[]>;
}

export function auditOperations(deps: AuditDeps): Operation[] {
  return [
    operation({
      name: 'audit.events',
      method: 'GET',
      path: '/v1/audit/events',
      summary: 'List the audit entries of the caller’s tenant, newest first.',
      permission: 'audit:read',
      query: auditListQuery,
      answers: { 200: auditPage },
      run: async (caller, { query: { limit, cursor } }) => {
        const page = await readAudit(deps, caller, {}, { limit, before: checkCursor(cursor) });
        return { status: 200, body: pageToWire(page) };
      },
    }),
    operation({
      name: 'audit.query',
      method: 'POST',
      path: '/v1/audit/query',
      summary: 'Search the audit entries of the caller’s tenant, newest first.',
      description: 'Returns the entries that match every filter.',
      permission: 'audit:read',
      body: auditQuery,
      answers: { 200: auditPage },
      run: async (caller, { body: { limit, cursor, task_id: taskId, request_id: requestId, ...rest } }) => {
        const filter = { ...rest, taskId, requestId };
        const page = await readAudit(deps, caller, filter, { limit, before: checkCursor(cursor) });
        return { status: 200, body: pageToWire(page) };
      },
    }),
    operation({
      name: 'audit.verify',
      method: 'GET',
      path: '/v1/audit/verify',
      summary: 'Verify every audit chain.',
      description: 'Reports whether each chain is unchanged, and the first bad entry of a chain that is not.',
      permission: 'audit:read',
      answers: { 200: auditVerdict },
      run: async () => ({ status: 200, body: verdictToWire(await deps.verify()) }),
    }),
  ];
}

function checkCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || id.safeParse(cursor).success) return cursor;
  throw invalidInput([
    { path: '/cursor', message: 'is not a cursor of this list: send a next_cursor unchanged, or none' },
  ]);
}

function pageToWire({ events, next }: AuditPage): z.output<typeof auditPage> {
  return { events: events.map((event): AuditEventWire => ({ ...event })), next_cursor: next };
}

function verdictToWire(chains: readonly VerifiedChain[]): z.output<typeof auditVerdict> {
  const [first] = chains;
  return {
    ...chainToWire(first),
    ok: chains.every((chain) => chain.ok),
    chains: chains.map((one) => ({
      chain: one.chain,
      ...chainToWire(one),
      checked: one.checked,
      reason: one.bad?.reason,
      file: one.bad?.path,
      line: one.bad?.path === undefined ? undefined : one.bad.line,
    })),
  };
}

function chainToWire(
  chain: VerifiedChain | undefined,
): Pick<z.output<typeof auditVerdict>, 'ok' | 'entries' | 'head' | 'first_bad_seq'> {
  return {
    ok: chain?.ok ?? false,
    entries: chain?.entries ?? 0,
    head: chain?.head ?? null,
    first_bad_seq: chain?.bad?.seq,
  };
}
