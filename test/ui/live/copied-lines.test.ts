// The lines that the Copy menus put on the clipboard run as they stand in a POSIX shell, and answer the thing of the page.
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceEntry, temporaryFolder } from '../../support/process/program.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram !== undefined) monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const runShell = promisify(execFile);

/** Copies by an entry of the menu, and runs what was copied. @returns what it printed */
async function runCopied(entry: string, path: string): Promise<{ line: string; out: string }> {
  const { service } = monitor;
  await using view = await monitor.openPage({ path: `/v1/monitor/${path}` });
  await settled(view);
  await view.page.keyboard.press('Y');
  await view.page.getByRole('menuitem', { name: entry }).click();
  await view.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const line = await view.page.evaluate<string>('navigator.clipboard.readText()');
  await using folder = await temporaryFolder();
  const command = join(folder.path, 'switchyard');
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${sourceEntry}" "$@"\n`);
  await chmod(command, 0o700);
  const env = {
    PATH: `${folder.path}:${process.env['PATH'] ?? ''}`,
    SWITCHYARD_TOKEN: service.token('operator'),
    SWITCHYARD_URL: service.url,
  };
  const { stdout } = await runShell('/bin/sh', ['-c', line], { env, cwd: folder.path, timeout: 60_000 });
  return { line, out: stdout };
}

describe.skipIf(chromiumProgram === undefined)('the Copy menu of a task', () => {
  it('copies a curl line that reads the task, without its token [ui-12.9.2]', async () => {
    const { line, out } = await runCopied('Copy as curl', `tasks/${monitor.seed.tasks.failed}`);
    expect(line).toMatch(/^curl .*"Authorization: Bearer \$SWITCHYARD_TOKEN"$/);
    expect(JSON.parse(out).task).toMatchObject({ id: monitor.seed.tasks.failed, title: 'Rename the API' });
  });

  it('copies a command that shows the task [ui-12.9.2]', async () => {
    const { line, out } = await runCopied('Copy CLI line', `tasks/${monitor.seed.tasks.failed}`);
    expect(line).toBe(`switchyard task show ${monitor.seed.tasks.failed}`);
    expect(out).toContain('Rename the API');
  });
});

describe.skipIf(chromiumProgram === undefined)('the Copy menus of a schedule and an objective', () => {
  it('copy curl lines that read them [ui-16.5.2]', async () => {
    const { cronjobId, okrId } = monitor.seed;
    const schedule = await runCopied('Copy as curl', `schedules/${cronjobId}`);
    expect(JSON.parse(schedule.out).cronjob).toMatchObject({ cronjob_id: cronjobId, name: 'Nightly tests' });
    const objective = await runCopied('Copy as curl', `objectives/${okrId}`);
    expect(JSON.parse(objective.out).okr).toMatchObject({ okr_id: okrId, objective: 'Checkouts are fast' });
  });

  it('copy commands that show them [ui-16.5.2]', async () => {
    const { cronjobId, okrId } = monitor.seed;
    const schedule = await runCopied('Copy CLI line', `schedules/${cronjobId}`);
    expect(schedule.line).toBe(`switchyard cron show ${cronjobId}`);
    expect(schedule.out).toContain('Nightly tests');
    const objective = await runCopied('Copy CLI line', `objectives/${okrId}`);
    expect(objective.line).toBe(`switchyard okr show ${okrId}`);
    expect(objective.out).toContain('Checkouts are fast');
  });
});
