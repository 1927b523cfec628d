// The example of the automation flow runs as it stands: it makes a task, answers its question, shows its result.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** The programs that the script needs; if one is missing, the test is left out and says so by its name. */
const missing = ['curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

it.skipIf(missing.length > 0 && process.env['CI'] === undefined)(
  'examples/automation.sh (curl, jq) goes from a task to its result',
  async () => {
    await using service = await openService();
    const worker = await service.worker();
    const env = { ...process.env, SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('editor') };
    const script = new URL('../../../examples/automation.sh', import.meta.url).pathname;
    const child = spawn('sh', [script, 'the second'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    using stop = new DisposableStack();
    stop.defer(() => child.kill());
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    const ended = once(child, 'exit');
    const claimed = (): Promise<Awaited<ReturnType<typeof worker.claim>>[number]> =>
      until('its task', async () => (await worker.claim())[0]);
    const first = await claimed();
    await worker.release(first, { status: 'needs_input', message: { text: 'Which one?' } });
    const second = await claimed();
    expect(second.task.messages.at(-1)?.parts).toEqual([{ text: 'the second' }]);
    // Over lines and with a backslash: some shells' echo reads those.
    await worker.release(second, { status: 'completed', result: 'all\nof \\it' });
    expect(await ended).toEqual([0, null]);
    expect(output).toContain(`task ${first.task.id}`);
    expect(output).toContain('Which one?');
    expect(output).toContain(String.raw`"result_summary": "all\nof \\it"`);
  },
);

it.skipIf(missing.length > 0 && process.env['CI'] === undefined)(
  'examples/automation.sh (curl, jq) shows why it was refused, and makes up no task',
  async () => {
    await using service = await openService();
    const script = new URL('../../../examples/automation.sh', import.meta.url).pathname;
    const env = { ...process.env, SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') };
    const child = spawn('sh', [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    using stop = new DisposableStack();
    stop.defer(() => child.kill());
    const [out, refusal, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(out).toBe('');
    expect(refusal).toContain('permission_missing');
    expect(code).not.toBe(0);
  },
);
