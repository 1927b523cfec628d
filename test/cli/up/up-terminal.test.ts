// `npm start` in a terminal: everything that a person reads in the first minute. choices-1.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, Program, sourceEntry, temporaryFolder } from '../../support/process/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let terminal: Program;

beforeAll(async () => {
  folder = await temporaryFolder();
  await promisify(execFile)('git', ['init', '-q'], { cwd: folder.path });
  const [port, toolPort] = [await freePort(), await freePort()];
  const up = `exec '${process.execPath}' '${sourceEntry}' up --port ${port} --mcp-port ${toolPort}`;
  // script(1) runs the command on a pseudo-terminal; what is written to it is typed there.
  terminal = new Program({ command: ['script', '-qec', up, '/dev/null'], args: [], cwd: folder.path, input: 'open' });
  await terminal.printed(/Ctrl-C stops/);
});

afterAll(async () => {
  await terminal[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('up in a terminal', () => {
  it('prints no JSON, but readable log lines, with the migrations in one [choices-1.54]', () => {
    const lines = terminal.out.split('\r\n');
    expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
    expect(lines.filter((line) => line.includes('migrated'))).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d info {2}database migrated: 0001-installation\.sql, .*functions$/),
    ]);
    expect(terminal.out).toMatch(/^\d\d:\d\d:\d\d info {2}the service listens url=http:\S+ /m);
    expect(terminal.out).toMatch(/^\d\d:\d\d:\d\d info {2}.*worker/m);
  });

  it('prints the address, the token, the agent, a task to paste, and one line of what is off [choices-1.55, choices-1.56]', () => {
    expect(terminal.out).toMatch(/^ {2}service +http:\/\/127\.0\.0\.1:\d+\r$/m);
    expect(terminal.out).toMatch(/^ {2}token +[\w-]{43} /m);
    expect(terminal.out).toMatch(/^ {2}agent +\S/m);
    expect(terminal.out).toMatch(/^ {2}monitor +http:\/\/127\.0\.0\.1:\d+\/v1\/monitor\/#code=cc_[\w-]{43}\r$/m);
    expect(terminal.out).toContain('A first task, to paste');
    expect(terminal.out.match(/^ {2}off +.*switchyard doctor/gm)).toHaveLength(1);
    expect(terminal.out.match(/^ {2}off /gm)).toHaveLength(1);
  });

  it('stops with Ctrl-C', async () => {
    terminal.write('\u0003');
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.out).toContain('Stopping; press Ctrl-C again to stop at once.');
  });
});
