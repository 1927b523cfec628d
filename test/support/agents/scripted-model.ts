// A model server on loopback that plays a script of tool calls to whatever agent program asks it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  chatCompletionsFormat,
  geminiFormat,
  messagesFormat,
  responsesFormat,
  type ModelRequest,
  type OfferedTool,
  type Reply,
} from './model-wire.ts';

/** One turn of the script, translated into the tools that the asking agent has. Paths are relative to its folder. */
export type Step = PlainStep | ComputedStep;

/** Takes its turn from what it is asked; the last one of a script takes all turns that follow, too. */
export type ComputedStep = (requests: ModelRequest) => PlainStep | Promise<PlainStep>;

export type PlainStep =
  | { read: string }
  | { write: string; content: string }
  | { edit: string; from: string; to: string }
  | { bash: string }
  | { call: string; args: Record<string, unknown> }
  | { reply: string }
  /** Refuses with this HTTP status. */
  | { refuse: number }
  /** Never answers: the agent waits until somebody kills it. */
  | { hang: true };

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** Every request that offered tools, in order. */
  requests: ModelRequest[];
  /** Resolves when the agent has asked for its `n`th turn (from 1). */
  reached(n: number): Promise<void>;
}

function plainStep(answer: string | number): PlainStep {
  return typeof answer === 'number' ? { refuse: answer } : { reply: answer };
}

function pick(tools: OfferedTool[], ...names: string[]): OfferedTool | undefined {
  return tools.find((tool) => names.includes(tool.name.toLowerCase()));
}

function keyed(tool: OfferedTool, values: [string[], unknown][]): Record<string, unknown> {
  return Object.fromEntries(
    values.flatMap(([names, value]) => {
      const key = names.find((name) => tool.parameters.includes(name));
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

const pathKeys = ['file_path', 'filePath', 'path'];

function shell(command: string, tools: OfferedTool[]): Reply {
  const tool = pick(tools, 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command');
  if (tool === undefined) throw new Error('the agent offers no shell');
  // The tool `shell` of older versions of codex takes the words of a command; the built-in agent's takes its text.
  const takesArgv = tool.name === 'shell' && tool.parameters.includes('workdir');
  const commandArgument = takesArgv ? ['bash', '-lc', command] : command;
  return {
    call: tool.name,
    args: keyed(tool, [
      [['command', 'cmd'], commandArgument],
      [['description'], 'scripted'],
    ]),
  };
}

function heredoc(command: string, body: string): string {
  return `${command} <<'SCRIPTED'\n${body}\nSCRIPTED`;
}

/** One step in the tools of this agent; what it has no tool for goes through its shell. */
function play(step: Exclude<PlainStep, { hang: true } | { refuse: number }>, tools: OfferedTool[]): Reply {
  if ('reply' in step) return { text: step.reply };
  if ('call' in step) return step;
  if ('bash' in step) return shell(step.bash, tools);
  if ('read' in step) {
    const tool = pick(tools, 'read', 'read_file');
    return tool ? { call: tool.name, args: keyed(tool, [[pathKeys, step.read]]) } : shell(`cat ${step.read}`, tools);
  }
  if ('write' in step) {
    const tool = pick(tools, 'write', 'write_file');
    if (!tool)
      return shell(
        heredoc(`mkdir -p "$(dirname ${step.write})" && cat > ${step.write}`, step.content.replace(/\n$/, '')),
        tools,
      );
    return {
      call: tool.name,
      args: keyed(tool, [
        [pathKeys, step.write],
        [['content'], step.content],
      ]),
    };
  }
  const tool = pick(tools, 'edit', 'replace');
  if (!tool) {
    const patch = `*** Begin Patch\n*** Update File: ${step.edit}\n@@\n-${step.from}\n+${step.to}\n*** End Patch`;
    return shell(heredoc('apply_patch', patch), tools);
  }
  return {
    call: tool.name,
    args: keyed(tool, [
      [pathKeys, step.edit],
      [['instruction'], 'scripted'],
      [['edits'], [{ oldText: step.from, newText: step.to }]],
      [['old_string', 'oldString', 'oldText'], step.from],
      [['new_string', 'newString', 'newText'], step.to],
    ]),
  };
}

/** Answers a request without tools from what the whole of it says; a number refuses with this HTTP status. */
export type PlainAnswer = (raw: string) => string | number;

/** Starts a model that answers an agent's n-th turn with the n-th step; requests without tools get a short text. */
export async function startScriptedModel(
  script: Step[],
  plainAnswer: PlainAnswer = () => 'A title',
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const waiting: { n: number; resolve: () => void }[] = [];

  async function turn(question: ModelRequest): Promise<PlainStep | undefined> {
    const last = script.at(-1);
    const step = script[question.results] ?? (typeof last === 'function' ? last : undefined);
    return typeof step === 'function' ? step(question) : step;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    const wireFormat = [chatCompletionsFormat, responsesFormat, messagesFormat, geminiFormat].find(({ path }) =>
      path.test(pathname),
    );
    if (request.method !== 'POST' || wireFormat === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not scripted"}}');
      return;
    }
    const question = wireFormat.read(body);
    const step = question.tools.length === 0 ? plainStep(plainAnswer(body)) : await turn(question);
    if (question.tools.length > 0) {
      requests.push(question);
      for (const { n, resolve } of waiting) if (question.results + 1 >= n) resolve();
    }
    if (step !== undefined && 'hang' in step) return;
    if (step !== undefined && 'refuse' in step) {
      response.writeHead(step.refuse, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'refused', message: 'the script refuses' } }));
      return;
    }
    const reply = step === undefined ? { text: 'The script is over.' } : play(step, question.tools);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(wireFormat.frames(reply, randomUUID().replaceAll('-', '')).join(''));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    reached: (n) =>
      new Promise((resolve) => {
        if (requests.some((question) => question.results + 1 >= n)) resolve();
        else waiting.push({ n, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
