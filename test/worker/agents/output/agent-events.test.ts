// What agent programs say of their sessions and their tools, read from lines that the real ones printed. core-2.7.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentReader, SessionImport, StartedAgent } from '../../../../src/worker/agents/adapter/adapter.ts';
import { codex } from '../../../../src/worker/agents/programs/codex.ts';
import { gemini } from '../../../../src/worker/agents/programs/gemini.ts';
import { createInbox } from '../../../../src/worker/agents/adapter/inbox.ts';
import { opencode } from '../../../../src/worker/agents/programs/opencode.ts';
import { pi } from '../../../../src/worker/agents/programs/pi.ts';
import { programAdapter, type ProgramKind } from '../../../../src/worker/agents/programs/program.ts';
import { fitProgram } from '../../../support/agents/agent-stand-ins.ts';
import { openRunFixture, buildRunTask } from '../../../support/worker/run-fixture.ts';

const oneFailed = { calls: 1, failed: 1 };
const one = { calls: 1, failed: 0 };

const codexSession = '01a20024-c112-7041-bdab-fc6bf556b31c';
const codexLines = [
  `{"type":"thread.started","thread_id":"${codexSession}"}`,
  '{"type":"turn.started"}',
  '{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc true","aggregated_output":"","exit_code":null,"status":"in_progress"}}',
  '{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc true","aggregated_output":"","exit_code":0,"status":"completed"}}',
  '{"type":"item.started","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc \'echo hi; false\'","aggregated_output":"","exit_code":null,"status":"in_progress"}}',
  '{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc \'echo hi; false\'","aggregated_output":"hi\\n","exit_code":1,"status":"failed"}}',
  '{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"a.txt","kind":"update"}],"status":"completed"}}',
  '{"type":"item.started","item":{"id":"item_4","type":"mcp_tool_call","server":"docs","tool":"search","arguments":{},"result":null,"error":null,"status":"in_progress"}}',
  '{"type":"item.completed","item":{"id":"item_4","type":"mcp_tool_call","server":"docs","tool":"search","arguments":{},"result":null,"error":{"message":"gone"},"status":"failed"}}',
  '{"type":"item.started","item":{"id":"item_5","type":"command_execution","command":"sleep 99","aggregated_output":"","exit_code":null,"status":"in_progress"}}',
  '{"type":"turn.completed","usage":{"input_tokens":500,"cached_input_tokens":200,"cache_write_input_tokens":0,"output_tokens":50,"reasoning_output_tokens":0}}',
];

const recorded: { kind: ProgramKind; lines: string[]; session: string; tools: Record<string, object> }[] = [
  {
    kind: codex,
    lines: codexLines,
    session: codexSession,
    // The last command was ended with the run: it was used all the same.
    tools: { command_execution: { calls: 3, failed: 1 }, file_change: one, 'docs.search': oneFailed },
  },
  {
    kind: opencode,
    lines: [
      '{"type":"step_start","timestamp":1,"sessionID":"ses_dffdace86ffeTLBWcSs1JDxiGq","part":{"type":"step-start"}}',
      '{"type":"tool_use","timestamp":1,"sessionID":"ses_dffdace86ffeTLBWcSs1JDxiGq","part":{"type":"tool","tool":"write","callID":"c1","state":{"status":"completed","input":{"filePath":"new.txt"},"output":"Wrote file successfully.","metadata":{"diagnostics":{},"exists":false},"title":"new.txt"}}}',
      '{"type":"tool_use","timestamp":1,"sessionID":"ses_dffdace86ffeTLBWcSs1JDxiGq","part":{"type":"tool","tool":"bash","callID":"c2","state":{"status":"completed","input":{"command":"echo hi; false"},"output":"hi\\n","metadata":{"output":"hi\\n","exit":1,"truncated":false},"title":"echo hi; false"}}}',
      '{"type":"tool_use","timestamp":1,"sessionID":"ses_dffdace86ffeTLBWcSs1JDxiGq","part":{"type":"tool","tool":"read","callID":"c3","state":{"status":"error","input":{"filePath":"nope.txt"},"error":"File not found"}}}',
    ],
    session: 'ses_dffdace86ffeTLBWcSs1JDxiGq',
    tools: { write: one, bash: oneFailed, read: oneFailed },
  },
  {
    kind: pi,
    lines: [
      '{"type":"session","version":3,"id":"01a20024-f2a3-7525-aa13-59b0031f5d47","timestamp":"2026-11-21T22:05:51.149Z","cwd":"/srv/repo"}',
      '{"type":"tool_execution_start","toolCallId":"c1","toolName":"write","args":{"path":"new.txt","content":"new\\n"}}',
      '{"type":"tool_execution_end","toolCallId":"c1","toolName":"write","result":{"content":[{"type":"text","text":"Successfully wrote to new.txt"}]},"isError":false}',
      '{"type":"tool_execution_start","toolCallId":"c2","toolName":"bash","args":{"command":"echo hi; false"}}',
      '{"type":"tool_execution_end","toolCallId":"c2","toolName":"bash","result":{"content":[{"type":"text","text":"hi\\n\\n\\nCommand exited with code 1"}],"details":{}},"isError":true}',
    ],
    session: '01a20024-f2a3-7525-aa13-59b0031f5d47',
    tools: { write: one, bash: oneFailed },
  },
];

function feed(reader: AgentReader, lines: string[]): AgentReader {
  reader.stdout(lines.map((line) => `${line}\n`).join(''));
  reader.end();
  return reader;
}

describe('what an agent prints [core-2.7.20]', () => {
  test.each(recorded)('tells $kind.name’s session and its tools', ({ kind, lines, session, tools }) => {
    const report = feed(kind.read(), lines).report();
    expect(report.session).toBe(session);
    expect(Object.fromEntries(report.tools ?? [])).toEqual(tools);
  });
});

describe('a session to go on with', () => {
  const begun = (kind: ProgramKind, session?: string): string[] =>
    kind.invocation({
      program: kind.name,
      extra: ['--of-the-operator'],
      options: new Set(),
      input: { task: buildRunTask({}), prompt: 'p', folder: '/', inbox: createInbox(), session },
    }).argv;

  test.each([
    [codex, ['resume', 'the-session', '-']],
    [opencode, ['--session', 'the-session']],
    [pi, ['--fork', 'the-session']],
    [gemini, ['--resume', 'the-session']],
  ])('is named in the arguments of $name', (kind, eventArgs) => {
    const [first] = eventArgs;
    const argv = begun(kind, 'the-session');
    expect(argv.slice(argv.indexOf(first ?? ''), argv.indexOf(first ?? '') + eventArgs.length)).toEqual(eventArgs);
    expect(begun(kind).join(' ')).not.toMatch(/resume|session|fork/);
  });

  test('has codex’s own options before it, for they are not all options of its resume', () => {
    const argv = begun(codex, 's');
    expect(argv.indexOf('--sandbox')).toBeLessThan(argv.indexOf('resume'));
    expect(argv.indexOf('--of-the-operator')).toBeLessThan(argv.indexOf('resume'));
  });

  test('counts for codex from what it had used before, and not at all where nobody knows that', () => {
    const read = (run: object): AgentReader | undefined =>
      codex.invocation({
        program: 'codex',
        extra: [],
        options: new Set(),
        input: { task: buildRunTask({}), prompt: 'p', folder: '/', inbox: createInbox(), ...run },
      }).reader;
    const reports = [
      {},
      { session: 's', sessionUsage: { input_tokens: 400, cached_tokens: 300, output_tokens: 40 } },
      { session: 's' },
    ].map((run) => {
      const reader = read(run);
      return reader && feed(reader, codexLines).report();
    });
    expect(reports.map((report) => report?.usage)).toEqual([
      { input_tokens: 500, cached_tokens: 200, output_tokens: 50 },
      { input_tokens: 100, cached_tokens: 0, output_tokens: 10 },
      undefined,
    ]);
    for (const report of reports) {
      expect(report?.sessionUsage).toEqual({ input_tokens: 500, cached_tokens: 200, output_tokens: 50 });
    }
  });
});

describe('a session of opencode in another folder', () => {
  function brought(move: Partial<SessionImport>): Promise<boolean> | undefined {
    const agent: StartedAgent = programAdapter(opencode, fitProgram('opencode'), [], '1');
    const runProgram = (): Promise<string | undefined> => Promise.resolve(undefined);
    return agent.importSession?.({ session: 'ses_1', path: '/srv/here', folder: '/nowhere', runProgram, ...move });
  }

  test('is exported and imported, so that it works in the new one', async () => {
    await using fixture = await openRunFixture();
    const invocations: string[][] = [];
    const text = JSON.stringify({ info: { id: 'ses_1', directory: '/srv/there' }, messages: [] }, null, 2);
    const runProgram = (argv: string[]): Promise<string> => {
      invocations.push(argv);
      return Promise.resolve(argv[1] === 'export' ? text : '');
    };
    expect(await brought({ folder: fixture.root, runProgram })).toBe(true);
    const file = join(fixture.root, 'session.json');
    expect(invocations).toEqual([
      ['opencode', 'export', 'ses_1'],
      ['opencode', 'import', file],
    ]);
    expect(await readFile(file, 'utf8')).toBe(text);
    invocations.length = 0;
    expect(await brought({ path: '/srv/there', folder: fixture.root, runProgram })).toBe(true);
    expect(invocations).toHaveLength(1);
  });

  test('that is gone, or not to be read, is none', async () => {
    await using fixture = await openRunFixture();
    expect(await brought({})).toBe(false);
    expect(await brought({ runProgram: () => Promise.resolve('no JSON') })).toBe(false);
    const text = JSON.stringify({ info: { directory: '/srv/there' } });
    const runProgram = (argv: string[]) => Promise.resolve(argv[1] === 'export' ? text : undefined);
    expect(await brought({ folder: fixture.root, runProgram })).toBe(false);
  });
});
