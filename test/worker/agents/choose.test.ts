// Which agent does a task, how it is started, and what it is told.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkerTask } from '../../../src/contracts/worker.ts';
import type { Invocation } from '../../../src/worker/agents/adapter/adapter.ts';
import { chooseAgent, noAgentFor } from '../../../src/worker/agents/choose.ts';
import { claude } from '../../../src/worker/agents/programs/claude.ts';
import { codex } from '../../../src/worker/agents/programs/codex.ts';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import { AgentMissing, detectAgents, findAgentPrograms } from '../../../src/worker/agents/detect.ts';
import { createInbox } from '../../../src/worker/agents/adapter/inbox.ts';
import { opencode } from '../../../src/worker/agents/programs/opencode.ts';
import { pi } from '../../../src/worker/agents/programs/pi.ts';
import { programAdapter } from '../../../src/worker/agents/programs/program.ts';
import { buildPrompt, parseQuestion } from '../../../src/worker/agents/adapter/prompt.ts';
import { splitCommand, templateAdapter } from '../../../src/worker/agents/programs/template.ts';
import { agentNames } from '../../support/agents/real-agents.ts';
import { fitHelp, fitProgram } from '../../support/agents/agent-stand-ins.ts';
import { openRunFixture, shellPrompt, buildRunTask, type RunFixture } from '../../support/worker/run-fixture.ts';

const all = [opencode, codex, claude, pi].map((kind) =>
  programAdapter(kind, fitProgram(`/bin/${kind.name}`), [], '1.0'),
);

function chosen(wanted: Partial<WorkerTask>, agents = [...all, commandAgent]): string | undefined {
  return chooseAgent(buildRunTask(wanted), agents)?.name;
}

/** How the agent at that place of the list is started for such a task. */
async function start(at: number, fields: Partial<WorkerTask>): Promise<Invocation | undefined> {
  return all[at]?.invoke({
    task: buildRunTask(fields),
    prompt: 'the secret prompt',
    folder: '/',
    inbox: createInbox(),
  });
}

async function commandLineOf(at: number, model: string): Promise<string | undefined> {
  return (await start(at, { model }))?.argv.join(' ');
}

function messageBy(role: 'user' | 'agent', text: string): WorkerTask['messages'][number] {
  return { message_id: text, role, parts: [{ text }], at: '2026-01-01T00:00:00.000Z' };
}

/** Puts programs that print a version, and help as it should be, on a PATH of their own. */
async function programs(fixture: RunFixture, ...names: string[]): Promise<NodeJS.ProcessEnv> {
  const bin = join(fixture.root, 'bin');
  await mkdir(bin, { recursive: true });
  for (const name of names) {
    const agent = agentNames.find((known) => known === name);
    const help = `cat <<'HELP'\n${agent === undefined ? '' : fitHelp(agent)}\nHELP`;
    const program = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${name} 3.2.1 (x)"; exit; fi\n${help}\n`;
    await writeFile(join(bin, name), name === 'codex' ? '#!/nowhere/node\n' : program);
    await chmod(join(bin, name), 0o755);
  }
  return { PATH: `${bin}:/usr/bin:/bin` };
}

describe('detection', () => {
  test('finds what is installed and can run, in order of preference [choices-5.53, core-2.7.5]', async () => {
    await using fixture = await openRunFixture();
    const env = await programs(fixture, 'pi', 'codex', 'opencode');
    const agents = await detectAgents({ env, allowCommand: true });
    expect(agents.map(({ name, version }) => [name, version])).toEqual([
      ['opencode', '3.2.1'],
      ['pi', '3.2.1'],
      ['command', undefined],
    ]);
    const found = await findAgentPrograms(env);
    expect(found.find(({ name }) => name === 'codex')?.problem?.message).toMatch(/ENOENT|not found|bad interpreter/);
    expect(await detectAgents({ env: { PATH: '' }, allowCommand: false })).toEqual([]);
  });

  test('says of a program that hangs that it did not tell its version', async () => {
    await using fixture = await openRunFixture();
    const env = await programs(fixture, 'pi');
    await writeFile(join(fixture.root, 'bin/pi'), '#!/bin/sh\nexec sleep 300\n');
    const [found] = await findAgentPrograms(env, 300);
    const problem = { kind: 'broken', message: 'it did not answer --version in 0.3 s' };
    expect(found).toMatchObject({ name: 'pi', version: undefined, problem });
  });

  test('takes a program by name or path, with further arguments [choices-5.44]', async () => {
    await using fixture = await openRunFixture();
    const env = await programs(fixture, 'pi', 'my agent');
    const path = join(fixture.root, 'bin/pi');
    for (const agentBin of ['pi', path]) {
      expect(await detectAgents({ agentBin, env, allowCommand: false })).toMatchObject([{ name: 'pi', program: path }]);
    }
    const [more] = await detectAgents({ agentBin: 'pi --thinking high', env, allowCommand: false });
    if (more === undefined || !('invoke' in more)) throw new Error('no program');
    const begun = await more.invoke({ task: buildRunTask({}), prompt: 'P', folder: '/', inbox: createInbox() });
    expect(begun.argv.slice(-2)).toEqual(['--thinking', 'high']);
    const [other] = await detectAgents({ agentBin: join(fixture.root, 'bin/my agent'), env, allowCommand: true });
    expect(other).toMatchObject({ name: 'my agent' });
    expect(await detectAgents({ agentBin: 'command', env, allowCommand: true })).toEqual([commandAgent]);
  });

  test('says that a named program is missing or cannot run', async () => {
    await using fixture = await openRunFixture();
    const env = await programs(fixture, 'codex');
    for (const agentBin of ['nothing-of-this-name', '/nowhere/pi', 'codex', 'pi "open', ' ']) {
      await expect(detectAgents({ agentBin, env, allowCommand: false })).rejects.toThrow(AgentMissing);
    }
  });
});

describe('the choice of an agent', () => {
  test('goes by the name in target_agent or agent_type, else by preference', () => {
    expect(chosen({})).toBe('opencode');
    expect(chosen({ agent_type: 'build' })).toBe('opencode');
    expect(chosen({ agent_type: 'claude' })).toBe('claude');
    expect(chosen({ target_agent: 'pi', agent_type: 'build' })).toBe('pi');
    expect(chosen({ target_agent: 'the-worker-itself' })).toBe('opencode');
    expect(chosen({ agent_type: 'codex' }, all.slice(0, 1))).toBeUndefined();
  });

  test('never runs commands in place of an agent that thinks [choices-5.56]', () => {
    expect(chosen({}, [commandAgent, ...all])).toBe('opencode');
    expect(chosen({ agent_type: 'command' })).toBe('command');
    expect(chosen({ agent_type: 'command' }, all)).toBeUndefined();
    expect(chosen({}, [commandAgent])).toBe('command');
    expect(chosen({ agent_type: 'pi' }, [commandAgent])).toBeUndefined();
  });

  test('passes over an agent that cannot use the model', () => {
    const [, , claudeAgent] = all;
    const agents = claudeAgent ? [claudeAgent] : [];
    expect(chosen({ model: 'anthropic:sonnet' }, agents)).toBe('claude');
    expect(chosen({ model: 'openai:gpt' }, agents)).toBeUndefined();
    expect(chosen({ model: '--option' })).toBe('opencode');
    expect(noAgentFor(buildRunTask({ model: 'openai:gpt' }), agents)).toMatchObject({
      code: 'agent_not_found',
      message: expect.stringMatching(/the model openai:gpt.*Agents here: claude/),
    });
  });
});

describe('the start of an agent', () => {
  test('has the prompt on stdin, never in the arguments', async () => {
    for (const at of all.keys()) {
      const { argv, stdin } = (await start(at, { model: 'anthropic:m' })) ?? { argv: [] };
      expect(stdin).toBe('the secret prompt');
      expect(argv.join(' ')).not.toContain('secret');
    }
  });

  test('translates the model for each of them', async () => {
    expect(await commandLineOf(0, 'anthropic:claude-x')).toContain('--model anthropic/claude-x');
    expect(await commandLineOf(1, 'openai:gpt-x')).toContain('--model gpt-x -');
    expect(await commandLineOf(1, 'ollama:qwen:7b')).toContain('--model qwen:7b -c model_provider="ollama"');
    expect(await commandLineOf(2, 'anthropic:sonnet')).toContain('--model sonnet');
    expect(await commandLineOf(3, 'openai:gpt-x')).toContain('--model openai/gpt-x');
  });

  test('is refused for a model that could be an option', async () => {
    await using fixture = await openRunFixture();
    const [agent] = all;
    const outcome = await fixture.execute({ model: '--yolo' }, agent && { agent });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'bad_model' } });
  });

  test('keeps codex in its sandbox unless the operator chose another', async () => {
    const own = programAdapter(codex, fitProgram('codex'), ['--sandbox', 'danger-full-access'], '1');
    const { argv } = await own.invoke({ task: buildRunTask({}), prompt: 'p', folder: '/', inbox: createInbox() });
    expect(argv.filter((word) => word === '--sandbox')).toHaveLength(1);
    expect((await start(1, {}))?.argv).toContain('workspace-write');
    expect((await start(1, { agent_type: 'explore' }))?.argv).toContain('read-only');
  });
});

describe('a command template', () => {
  test('fills its places inside one argument, without a shell [choices-5.54]', async () => {
    await using fixture = await openRunFixture();
    const program = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const agent = templateAdapter([process.execPath, '-e', program, '--', 'say: {prompt}!', '{model}', '{other}']);
    const prompt = '$(touch pwned); `id` "quoted" {model} \n second line';
    const outcome = await fixture.execute({ prompt, model: 'a:b' }, { agent });
    expect(JSON.parse(outcome.result ?? '')).toEqual([`say: ${prompt}!`, 'a:b', '{other}']);
    expect(outcome.artifacts).toEqual([]);
  });

  test('gives the prompt by a file or on stdin', async () => {
    await using fixture = await openRunFixture();
    const byFile = await fixture.execute({ prompt: 'by file' }, { agent: templateAdapter(['cat', '{prompt_file}']) });
    const byStdin = await fixture.execute({ prompt: 'by stdin' }, { agent: templateAdapter(['cat']) });
    expect([byFile.result, byStdin.result]).toEqual(['by file', 'by stdin']);
  });

  test('refuses a prompt that is too large for an argument, and says what to do', async () => {
    await using fixture = await openRunFixture();
    const outcome = await fixture.execute(
      { prompt: 'x'.repeat(140_000) },
      { agent: templateAdapter(['echo', '{prompt}']) },
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'prompt_too_large' } });
    expect(outcome.error?.message).toContain('{prompt_file}');
  });

  test('is split at blanks, with quotes', () => {
    expect(splitCommand(`a  "b c" 'd "e"' f="g h" ''`)).toEqual(['a', 'b c', 'd "e"', 'f=g h', '']);
    expect(splitCommand('a "b')).toBeUndefined();
    expect(splitCommand(' ')).toEqual([]);
  });
});

describe('the agent command', () => {
  test('runs the first sh block and stops at the first command that fails [choices-5.55]', async () => {
    await using fixture = await openRunFixture();
    const prompt = `Some words.\n\n\`\`\`json\n{}\n\`\`\`\n\n${shellPrompt('echo one\nfalse\necho two')}\n${shellPrompt('echo three')}`;
    const outcome = await fixture.execute({ prompt });
    expect(outcome).toMatchObject({ status: 'failed', result: 'one', error: { code: 'agent_exit' } });
  });

  test('needs a block', async () => {
    await using fixture = await openRunFixture();
    const outcome = await fixture.execute({ prompt: 'rm -rf it all' });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'no_command' } });
  });

  test('has the answer to its question on stdin', async () => {
    await using fixture = await openRunFixture();
    const prompt = shellPrompt(
      'answer=$(cat); if [ -z "$answer" ]; then echo "SWITCHYARD_NEEDS_INPUT: which?"; else echo "got $answer"; fi',
    );
    expect(await fixture.execute({ prompt })).toMatchObject({ status: 'needs_input', message: { text: 'which?' } });
    const messages = [messageBy('user', prompt), messageBy('agent', 'which?'), messageBy('user', 'the red one')];
    expect(await fixture.execute({ prompt, messages })).toMatchObject({
      status: 'completed',
      result: 'got the red one',
    });
    const more = [...messages, messageBy('user', 'no, the blue one')];
    expect(await fixture.execute({ prompt, messages: more })).toMatchObject({
      result: 'got the red one\n\nno, the blue one',
    });
  });
});

describe('the prompt', () => {
  test('holds the exchange in order, each message once', () => {
    const data = {
      message_id: 'd',
      role: 'user' as const,
      parts: [{ data: { a: 1 } }, { file: { name: 'f.txt', uri: 'https://x/f' } }],
      at: '',
    };
    const task = buildRunTask({
      prompt: 'Do it.',
      messages: [messageBy('user', 'Do it.'), messageBy('agent', 'How?'), messageBy('user', 'So.'), data],
    });
    expect(buildPrompt(task, false)).toBe(
      'Do it.\n\nMessages since then, in order:\n\nYou: How?\n\nUser: So.\n\nUser: {\n  "a": 1\n}\n[file f.txt, https://x/f]',
    );
    expect(buildPrompt(buildRunTask({ prompt: 'Do it.' }), false)).toBe('Do it.');
    expect(buildPrompt(buildRunTask({ prompt: 'Do it.' }), true)).toContain('SWITCHYARD_NEEDS_INPUT: <your question>');
  });

  test('asks back by the last line of an answer alone', () => {
    expect(parseQuestion('Well.\n**SWITCHYARD_NEEDS_INPUT: Which one?**\n')).toBe('Which one?');
    expect(parseQuestion('What about it?\nSWITCHYARD_NEEDS_INPUT:')).toBe('What about it?');
    expect(parseQuestion('SWITCHYARD_NEEDS_INPUT: no\nbut then I went on')).toBeUndefined();
  });
});
