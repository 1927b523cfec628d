// The commands of the audit, and the settings that say where it lies.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventWire } from '../../../src/contracts/audit.ts';
import { openService, type TestService } from '../../support/service.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { temporaryFolder } from '../../support/process/program.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await openService();
  await service.task({ title: 'one' });
  await service.task({ title: 'two' });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const own = (): string[] => ['--url', service.url, '--token', service.token('operator')];

function eventsIn({ out }: Outcome): AuditEventWire[] {
  return out
    .trim()
    .split('\n')
    .map((line): AuditEventWire => JSON.parse(line));
}

/** A changed copy of the service's file. */
async function copy(change: (text: string) => string): Promise<string> {
  const file = path.join(folder.path, 'copy.jsonl');
  await writeFile(file, change(await readFile(service.config.audit.logPath, 'utf8')));
  return file;
}

describe('switchyard audit verify', () => {
  it('ends with 0 for a whole file: one that is named, the one of DATA_DIR, the one of AUDIT_LOG_PATH [choices-3.89, choices-1.10, choices-1.46]', async () => {
    const { logPath, keyFile } = service.config.audit;
    const named = await command(['audit', 'verify', logPath, '--key', keyFile]);
    expect(named).toMatchObject({ code: 0, out: expect.stringMatching(/^intact: \d+ entries .* signed by the key\n/) });
    expect((await command(['audit', 'verify', '--data-dir', service.config.dataDir])).code).toBe(0);
    const place = { AUDIT_LOG_PATH: logPath, AUDIT_SIGNING_KEY_FILE: keyFile };
    const json = await command(['audit', 'verify', '--json'], { env: place });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      keyed: true,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('ends with 1 for one that was changed, and names the first bad line [choices-3.89]', async () => {
    const file = await copy((text) => text.replace('tasks.create', 'tasks.delete'));
    const line = (await readFile(file, 'utf8')).split('\n').findIndex((text) => text.includes('tasks.delete')) + 1;
    const verified = await command(['audit', 'verify', file]);
    expect(verified).toMatchObject({ code: 1, out: expect.stringContaining(`copy.jsonl line ${line} `) });
    const json: Outcome = await command(['audit', 'verify', file, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, line, first_bad_seq: line });
  });

  it('ends with 2 for one that cannot be read, and for a key that is none [choices-3.89]', async () => {
    expect((await command(['audit', 'verify', path.join(folder.path, 'nothing')])).code).toBe(2);
    const file = await copy((text) => text);
    expect((await command(['audit', 'verify', file, '--key', file])).code).toBe(2);
  });
});

describe('switchyard audit tail and export', () => {
  it('print the newest entries, oldest first', async () => {
    const verified = await command(['audit', 'tail', '-n', '100', '--json', ...own()]);
    expect(verified.code).toBe(0);
    const events = eventsIn(verified);
    expect(events.map((event) => event.action)).toContain('tasks.create');
    expect(events.map((event) => event.id)).toEqual(
      events.map((event) => event.id).toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect((await command(['audit', 'tail', ...own()])).out).toContain('tasks.create');
    expect((await command(['audit', 'tail', '-n', '0', ...own()])).code).toBe(2);
    expect((await command(['audit', 'tail', '--url', service.url, '--token', service.token('viewer')])).code).toBe(4);
  });

  it('print every entry that is asked for as JSON lines, over as many pages as there are', async () => {
    await Promise.all(Array.from({ length: 250 }, () => service.call('GET', '/v1/monitor/stats', { as: 'viewer' })));
    const verified = await command(['audit', 'export', '--action', 'monitor.stats', ...own()]);
    expect(verified.code).toBe(0);
    const events = eventsIn(verified);
    expect(events.map((event) => event.action)).toEqual(Array.from({ length: 250 }, () => 'monitor.stats'));
  });
});
