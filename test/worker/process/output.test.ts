// The output of a run: in order, in small clean pieces, bounded, at the pace at which it is taken.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { templateAdapter } from '../../../src/worker/agents/programs/template.ts';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import { until } from '../../support/until.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';

/** How many bytes each output event has. */
function sizes(fixture: RunFixture): number[] {
  return fixture.events.map((event) => (event.type === 'output' ? Buffer.byteLength(event.text) : 0));
}

/** A port of the test, on which a program can say something. */
async function listen(onText: (text: string) => void = () => undefined): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('data', (data) => onText(data.toString())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}

describe('the output of a run', () => {
  test('arrives in order, whole, in pieces of at most 64 KiB, cut between characters [choices-5.21]', async () => {
    await using fixture = await openRunFixture();
    const line = '$(printf "añ€😀%.0s" $(seq 100))';
    const loop = `i=0; while [ $i -lt 300 ]; do printf '%s%04d\\n' "$line" $i; i=$((i+1)); done`;
    const block = `line="${line}"; (${loop}) > "$HOME/text"; cat "$HOME/text"; echo oops >&2`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) });
    expect(outcome.status).toBe('completed');
    const lines = fixture.output('stdout').trimEnd().split('\n');
    expect(lines).toEqual(Array.from({ length: 300 }, (_, n) => `${'añ€😀'.repeat(100)}${String(n).padStart(4, '0')}`));
    expect(fixture.output('stderr')).toBe('oops\n');
    expect(Math.max(...sizes(fixture))).toBeLessThanOrEqual(65_536);
  });

  test('has U+FFFD for NUL and for what is no UTF-8', async () => {
    await using fixture = await openRunFixture();
    await fixture.execute({ prompt: shellPrompt(String.raw`printf 'a\000b\377c\n'`) });
    expect(fixture.output('stdout')).toBe('a\u{FFFD}b\u{FFFD}c\n');
    // Each byte becomes three: more than one event may hold.
    await fixture.execute({ prompt: shellPrompt(String.raw`head -c 100000 /dev/zero | tr '\000' '\377'`) });
    expect(fixture.output('stdout')).toHaveLength(6 + 100_000);
    expect(Math.max(...sizes(fixture))).toBeLessThanOrEqual(65_536);
  });

  test('is bounded: one line says so, and the agent goes on', async () => {
    await using fixture = await openRunFixture();
    const block = `yes 0123456789 | head -c 3000000; echo x > x.txt; echo end`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, { maxOutputBytes: 100_000 });
    expect(outcome).toMatchObject({ status: 'completed', artifacts: [{ name: 'diff' }, { name: 'files' }] });
    const text = fixture.output();
    expect(Buffer.byteLength(text)).toBeLessThan(100_200);
    expect(text.match(/output truncated/g)).toHaveLength(1);
  });

  test('slows the agent down when it is not taken', async () => {
    await using fixture = await openRunFixture();
    let written = 0;
    const { server, port } = await listen((text) => {
      written = Number(text.trim().split('\n').at(-1));
    });
    const program = `const s=require('net').connect(${port},'127.0.0.1');let n=0;const b=Buffer.alloc(65536,97);
      const w=()=>{process.stdout.write(b,()=>{n+=b.length;s.write(n+'\\n');n<20e6?w():s.end()})};w();`;
    const gate = Promise.withResolvers<void>();
    const taken: NewWorkerEvent[] = [];
    const emit = async (event: NewWorkerEvent): Promise<void> => {
      taken.push(event);
      if (event.type === 'output') await gate.promise;
    };
    const agent = templateAdapter([process.execPath, '-e', program, '{prompt}']);
    const running = fixture.execute({}, { agent, emit, maxOutputBytes: 30_000_000 });
    // It writes until the pipe and our one chunk are full, and stands still then: 20 looks in a row.
    let last = 0;
    let still = 0;
    await until('the agent stands still', () => {
      still = written > 0 && written === last ? still + 1 : 0;
      last = written;
      return still > 20;
    });
    expect(written).toBeLessThan(2_000_000);
    expect(taken.filter((event) => event.type === 'output')).toHaveLength(1);
    gate.resolve();
    expect((await running).status).toBe('completed');
    expect(written).toBeGreaterThanOrEqual(20e6);
    server.close();
  });

  test('does not wait for a pipe that somebody out of reach holds open', async () => {
    await using fixture = await openRunFixture();
    const { server, port } = await listen();
    // Out of reach: no tag in its environment, another session, no parent of ours. It ends with its connection.
    const connection = once(server, 'connection');
    const holder = `const s=require('net').connect(${port},'127.0.0.1');
      s.on('connect',()=>require('fs').writeFileSync('connected',''));s.on('close',()=>process.exit())`;
    const block = `env -i setsid "${process.execPath}" -e "${holder}" & while [ ! -e connected ]; do sleep 0.05; done; echo done`;
    const running = fixture.execute({ prompt: shellPrompt(block) });
    const [socket] = await connection;
    expect(await running).toMatchObject({ status: 'completed', result: 'done' });
    socket.destroy();
    server.close();
  });
});
