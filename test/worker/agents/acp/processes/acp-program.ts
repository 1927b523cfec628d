// A program that speaks the Agent Client Protocol on its stdin and stdout, well or badly, as its first argument says.
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';

const [, , conduct = 'works', ...rest] = process.argv;
interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}
const waiting = new Map<number, (message: Message) => void>();
let count = 0;
let cwd = '';
let turns = 0;

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function callClient(method: string, params: object): Promise<Message> {
  count += 1;
  const id = count;
  send({ id, method, params: { sessionId: 's1', ...params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function update(fields: object): void {
  send({ method: 'session/update', params: { sessionId: 's1', update: fields } });
}

function sendUpdate(text: string): void {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

async function mayI(kind: string, path: string): Promise<string> {
  const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'p', title: kind, kind, locations: path === '' ? [] : [{ path }] };
  const { result } = await callClient('session/request_permission', { toolCall, options });
  return JSON.stringify(result?.['outcome']);
}

/** Uses everything that a program may ask for. */
async function work(): Promise<void> {
  sendUpdate('I begin.\n');
  update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'secret thoughts' } });
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 't1',
    title: 'Write',
    kind: 'edit',
    status: 'pending',
    locations: [{ path: `${cwd}/made.txt` }],
  });
  const may = await mayI('edit', `${cwd}/made.txt`);
  const written = await callClient('fs/write_text_file', {
    path: `${cwd}/made.txt`,
    content: 'made over the protocol\n',
  });
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: written.error ? 'failed' : 'completed' });
  const read = await callClient('fs/read_text_file', { path: `${cwd}/old.txt`, line: 2, limit: 1 });
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 't2',
    title: 'Run',
    kind: 'execute',
    rawInput: { command: 'make it' },
  });
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't2',
    status: 'failed',
    content: [{ type: 'content', content: { type: 'text', text: 'no rule' } }],
  });
  update({ sessionUpdate: 'something_new', with: ['unknown', 'parts'] });
  update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } });
  sendUpdate(`Permission ${may}, write ${written.error?.message ?? 'done'}, read `);
  sendUpdate(`${JSON.stringify(read.result ?? read.error?.message)}.`);
}

/** Tries to get out of its workspace, and says what came of it. */
async function escape(): Promise<void> {
  const answers: string[] = [];
  for (const path of rest) {
    const { result, error } = await callClient('fs/read_text_file', { path });
    answers.push(result ? `READ ${JSON.stringify(result)}` : `refused ${error?.message}`);
    const written = await callClient('fs/write_text_file', { path, content: 'planted' });
    answers.push(written.error ? 'refused' : `WROTE ${path}`);
  }
  answers.push((await callClient('terminal/create', { command: 'sh' })).error ? 'refused' : 'TERMINAL');
  answers.push(await mayI('edit', '/etc/passwd'), await mayI('execute', ''));
  sendUpdate(answers.join('\n'));
}

const never = new Promise<void>(() => undefined);

async function turn(): Promise<object> {
  turns += 1;
  if (turns > 1) sendUpdate(`Turn ${turns}.`);
  else if (conduct === 'works' || conduct === 'models') await work();
  else if (conduct === 'escapes') await escape();
  else if (conduct === 'dies') process.exit(3);
  else if (conduct === 'hangs' || conduct === 'ignores-cancel') await never;
  else if (conduct === 'waits') await waitForCancel.promise;
  else if (conduct === 'refuses')
    return { error: { code: -32603, message: 'Internal error', data: { details: '401 bad key' } } };
  else if (conduct === 'floods')
    await Promise.all(Array.from({ length: 2_000 }, () => callClient('fs/read_text_file', { path: `${cwd}/old.txt` })));
  return {
    result: {
      stopReason: conduct === 'waits' ? 'cancelled' : 'end_turn',
      usage: { totalTokens: 15, inputTokens: 10, outputTokens: 5, cachedReadTokens: 2 },
    },
  };
}

const waitForCancel = Promise.withResolvers<void>();
const models = {
  currentModelId: 'a/one',
  availableModels: ['a/one', 'a/two'].map((modelId) => ({ modelId, name: modelId })),
};
const modes = {
  currentModeId: 'code',
  availableModes: [
    { id: 'code', name: 'Code' },
    { id: 'plan', name: 'Plan' },
  ],
};

async function answer({ id, method, params }: Message): Promise<object | undefined> {
  const [log] = conduct === 'escapes' || conduct === 'babbles' ? [] : rest;
  if (log !== undefined) writeFileSync(log, `${method} ${JSON.stringify(params)}\n`, { flag: 'a' });
  if (conduct === 'silent') return undefined;
  if (method === 'initialize') {
    return { result: { protocolVersion: conduct === 'version' ? 7 : 1, agentCapabilities: { loadSession: true } } };
  }
  if (method === 'session/new') {
    cwd = String(params?.['cwd']);
    if (conduct === 'login') return { error: { code: -32000, message: 'Authentication required' } };
    return { result: { sessionId: 's1', modes, ...(conduct === 'models' && { models }) } };
  }
  if (method === 'session/load') {
    cwd = String(params?.['cwd']);
    sendUpdate('What was said before.');
    return { result: { modes } };
  }
  if (method === 'session/prompt') return turn();
  if (method === 'session/cancel') {
    waitForCancel.resolve();
    return undefined;
  }
  return id === undefined ? undefined : { result: {} };
}

async function respond(message: Message): Promise<void> {
  const reply = await answer(message);
  if (reply !== undefined && message.id !== undefined) send({ id: message.id, ...reply });
}

if (conduct === 'ignores-cancel') process.on('SIGTERM', () => undefined);
if (conduct === 'babbles') process.stdout.write(rest[0] ?? '');
else if (conduct === 'huge')
  process.stdout.write(`{"jsonrpc":"2.0","method":"x","params":"${'x'.repeat(40_000_000)}"}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  if (message.method === undefined) {
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    return;
  }
  void respond(message);
});
