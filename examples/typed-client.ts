// Creates a task with the typed client, prints its events until it ends, and its result. Node 24 runs it as it stands:
//   npm install switchyard && node typed-client.ts 'Say hello.'
import { createClient } from 'switchyard/client';

const { SWITCHYARD_URL: url = 'http://127.0.0.1:8000', SWITCHYARD_TOKEN: token = '' } = process.env;
const client = createClient({ url, token });

const prompt = process.argv[2] ?? 'Say hello.';
const made = await client.POST('/v1/agent/tasks', { body: { title: 'An example', prompt, codebase_id: 'global' } });
if (made.error !== undefined) throw new Error(`${made.error.code}: ${made.error.detail}`);
const params = { path: { id: made.data.task.id } };

const headers = { accept: 'text/event-stream' };
const followed = await client.GET('/v1/agent/tasks/{id}/events', { params, headers, parseAs: 'stream' });
const decoder = new TextDecoder();
// The stream ends with the task.
for await (const chunk of followed.data ?? []) process.stdout.write(decoder.decode(chunk, { stream: true }));

const ended = await client.GET('/v1/agent/tasks/{id}', { params });
process.stdout.write(`${ended.data?.task.status}: ${ended.data?.task.result}\n`);
