// A real coding agent as a client of the tool protocol, configured by the output of `mcp config` alone; its
// model is a scripted one on loopback, and what it asks for is done by a worker that is somebody else.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../support/service.ts';
import { agentProgram, agentSettings, installDeadlineMs, type AgentName } from '../support/agents/real-agents.ts';
import { command } from '../support/process/cli-io.ts';
import { Program, temporaryFolder } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { startScriptedModel, type PlainStep, type Step } from '../support/agents/scripted-model.ts';
import { localWorker, script, waitFor } from '../support/worker/local-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** How an agent program is asked a question without a person, and what it calls a tool of ours. */
interface Client {
  readonly agent: AgentName;
  /** Its name for `switchyard mcp config`, and where the text goes, below its project or its home. */
  readonly config: string;
  readonly file: string;
  readonly toolName: (tool: string) => string;
  readonly args: (prompt: string) => string[];
  readonly env?: Record<string, string>;
  /** The text of its configuration as one has it who lets it call the tools without a person. */
  readonly agreed?: (text: string) => string;
}

/** As a person would who lets it call this server, and nothing else, without being asked. */
const codexSettings = [
  '--config=model_provider="scripted"',
  '--config=mcp_servers.switchyard.default_tools_approval_mode="approve"',
];

const clients: Client[] = [
  {
    agent: 'claude',
    config: 'claude-code',
    file: 'project/.mcp.json',
    toolName: (tool) => `mcp__switchyard__${tool}`,
    // Servers of a project are taken once a person has agreed to them; the flag is how a script agrees.
    args: (prompt) => ['--print', '--mcp-config=.mcp.json', '--allowedTools=mcp__switchyard', '--model=m1', prompt],
  },
  {
    agent: 'codex',
    config: 'codex',
    file: 'home/.codex/config.toml',
    toolName: (tool) => `mcp__switchyard__${tool}`,
    args: (prompt) => ['exec', '--skip-git-repo-check', ...codexSettings, '--model=m1', prompt],
  },
  {
    agent: 'gemini',
    config: 'gemini',
    file: 'project/.gemini/settings.json',
    toolName: (tool) => `mcp_switchyard_${tool}`,
    args: (prompt) => ['--model=m1', '--prompt', prompt],
    // As docs/MCP.md says: a project's settings are read in trusted folders alone, and tools that would ask are left out.
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    agreed: (text) => text.replace('"httpUrl"', '"trust": true, "httpUrl"'),
  },
  {
    agent: 'opencode',
    config: 'opencode',
    file: 'project/opencode.json',
    toolName: (tool) => `switchyard_${tool}`,
    args: (prompt) => ['run', '--model', 'scripted/m1', prompt],
  },
];

function titleFor({ agent }: Client): string {
  return `Find the word for ${agent}`;
}

async function tasksOf(client: Client): Promise<{ title: string; status: string }[]> {
  const { tasks } = (await service.call('GET', '/v1/agent/tasks')).body;
  return tasks.filter((task: { title: string }) => task.title === titleFor(client));
}

/** A member of a tool's result, which a model has as JSON text. */
function member(text: string, name: string): string {
  const [, value = ''] = new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.)*)"`).exec(text) ?? [];
  return value;
}

/**
 * Creates a task, follows it until it is done, reads its result and answers with it: all from the results of the tools.
 * @param seen is called with each status that the model read
 */
function delegating(client: Client, description: string, seen: (status: string) => void | Promise<void>): Step[] {
  const call = (tool: string, args: Record<string, unknown>): PlainStep => ({ call: client.toolName(tool), args });
  let taskId = '';
  return [
    call('create_task', { title: titleFor(client), description, codebase_id: 'global' }),
    ({ lastResult }) => {
      taskId = member(lastResult, 'task_id');
      return call('get_task', { task_id: taskId });
    },
    async ({ lastResult }) => {
      const status = member(lastResult, 'status');
      await seen(status);
      if (status === 'pending' || status === 'running') return call('get_task', { task_id: taskId });
      return { reply: `The other worker found: ${member(lastResult, 'result')}` };
    },
  ];
}

async function programFor(client: Client, folder: string, modelUrl: string): Promise<Program> {
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  await mkdir(project);
  const settings = await agentSettings(client.agent, home, modelUrl);
  const { out } = await command(['mcp', 'config', client.config, '--json'], {
    env: { SWITCHYARD_URL: service.toolUrl },
    cwd: folder,
  });
  const file = join(folder, client.file);
  await mkdir(dirname(file), { recursive: true });
  const { text } = JSON.parse(out).clients[0];
  await appendFile(file, `\n${client.agreed?.(text) ?? text}\n`);
  return new Program({
    command: [await agentProgram(client.agent)],
    args: client.args('Let somebody find the word, and answer with it.'),
    cwd: project,
    env: {
      ...settings.env,
      ...client.env,
      HOME: home,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      SWITCHYARD_TOKEN: service.token('editor'),
    },
  });
}

/** These need ten seconds and more for what the others do in one. */
const slow: AgentName[] = ['gemini', 'opencode'];
const chosen = clients.filter(({ agent }) => !slow.includes(agent) || process.env['SCALE'] === 'full');

describe.each(chosen)('$agent as a client', { timeout: installDeadlineMs }, (client) => {
  it('delegates a task with the tools, follows it, and answers with the result that another worker produced [tools-1.1]', async () => {
    await using worker = await localWorker(service);
    await using folder = await temporaryFolder();
    const word = randomUUID();
    const [go, secret] = [join(worker.cwd, 'go'), join(worker.cwd, 'word.txt')];
    await writeFile(secret, word);
    const statuses: string[] = [];
    const steps = delegating(client, script(waitFor(go), `cat ${secret}`), async (status) => {
      statuses.push(status);
      // The task is done only after the model has seen it undone; and it does not ask again and again, which gemini takes for a loop.
      await writeFile(go, '');
      const isOver = async (): Promise<boolean> =>
        (await tasksOf(client)).every(({ status: now }) => now === 'completed');
      await until('the other worker’s result', isOver);
    });
    await using model = await startScriptedModel(steps);
    await using program = await programFor(client, folder.path, model.url);

    await program.printed(new RegExp(`The other worker found: ${word}`), 150_000);
    expect((await program.ended).code).toBe(0);
    expect(statuses[0]).toMatch(/^(pending|running)$/);
    expect(statuses.at(-1)).toBe('completed');
    expect(await tasksOf(client)).toEqual([
      expect.objectContaining({
        created_by: 'token:editor',
        worker_id: worker.id,
        result: word,
      }),
    ]);
    // The model had the word from the tool's result alone, and never saw the credential.
    const [first] = model.requests;
    expect(first?.raw).not.toContain(word);
    expect(model.requests.some(({ raw }) => raw.includes(service.token('editor')))).toBe(false);
  });
});
