// A full disk, seen by callers: changes are rejected, reads continue, and the service recovers by itself.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolveAuditLocation } from '../../src/server/config/audit-location.ts';
import { openService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { linesOf } from '../support/audit/audit-files.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: string;
let mounted = false;

beforeAll(async () => {
  folder = await temporaryFolder();
  disk = path.join(folder.path, 'disk');
  await mkdir(disk);
  mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
});
afterAll(async () => {
  if (mounted) spawnSync('umount', [disk]);
  await folder[Symbol.asyncDispose]();
});

/** Takes all the room that is left. */
async function fill(): Promise<string> {
  const ballast = path.join(disk, `ballast-${randomUUID()}`);
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(bavail * bsize));
  return ballast;
}

const idOf = (reply: { headers: Headers }): string | null => reply.headers.get('x-request-id');

async function requestsIn(service: TestService): Promise<Set<unknown>> {
  return new Set((await linesOf(service.config.audit.logPath)).map((line) => line.metadata['request_id']));
}

it('refuses changes without their line, lets looks through, says degraded, and recovers without a restart [choices-3.91, choices-3.92]', async ({
  skip,
}) => {
  if (!mounted) skip('no file system may be mounted here');
  const place = resolveAuditLocation(folder.path);
  const audit = { ...place, logPath: path.join(disk, 'audit.jsonl') };
  await using service = await openService({ config: { audit } });
  const submit = () =>
    service.call('POST', '/v1/agent/tasks', { as: 'editor', body: { title: 't', prompt: 'p', codebase_id: 'global' } });
  expect((await submit()).status).toBe(201);
  const ballast = await fill();
  // The last page of the file may have room for a few lines more.
  const replies = [];
  for (;;) {
    const reply = await submit();
    replies.push(reply);
    if (reply.status !== 201) break;
  }
  const refused = replies.at(-1);
  expect(refused).toMatchObject({ status: 503, body: { code: 'audit_unavailable' } });
  expect(refused?.headers.get('retry-after')).toBe('2');
  const count = async (): Promise<number> =>
    Number((await service.db.query<{ n: string }>('select count(*) as n from tasks'))[0]?.n);
  const before = await count();
  // Now they are refused up front: nothing is changed.
  for (let i = 0; i < 5; i += 1) expect((await submit()).status).toBe(503);
  expect(await count()).toBe(before);
  const listed = await service.call('GET', '/v1/agent/tasks', { as: 'viewer' });
  expect(listed.status).toBe(200);
  expect((await service.call('GET', '/health', { token: null })).body.status).toBe('degraded');
  expect((await service.call('GET', '/health?ready', { token: null })).status).toBe(200);
  for (const reply of replies) {
    if (reply.status === 201) expect(await requestsIn(service)).toContain(idOf(reply));
  }

  await rm(ballast);
  await until('changes to be taken again', async () => (await submit()).status === 201);
  expect((await service.call('GET', '/health', { token: null })).body.status).toBe('ok');
  // The change that was committed and refused its answer has its line now, and so has the look.
  expect(await requestsIn(service)).toContain(refused === undefined ? '' : idOf(refused));
  expect(await requestsIn(service)).toContain(idOf(listed));
  expect((await service.call('GET', '/v1/audit/verify', { as: 'operator' })).body).toMatchObject({ ok: true });
});
