// Creates a task with the typed client, prints its events until it ends, and its result. Node 24 runs it as it stands:
//   npm install switchyard && node typed-client.ts 'Say hello.'
import { createClient } from 'switchyard/client';
import { followTask } from 'switchyard/client/follow';

const { SWITCHYARD_URL: url = 'http://127.0.0.1:8000', SWITCHYARD_TOKEN: token = '' } = process.env;
const client = createClient({ url, token });

const prompt = process.argv[2] ?? 'Say hello.';
const made = await client.POST('/v1/agent/tasks', { body: { title: 'An example', prompt, codebase_id: 'global' } });
if (made.error !== undefined) throw new Error(`${made.error.code}: ${made.error.detail}`);
const params = { path: { id: made.data.task.id } };

// The stream ends with the task. It resumes by itself when the connection breaks.
for await (const event of followTask({ client, taskId: made.data.task.id })) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

const ended = await client.GET('/v1/agent/tasks/{id}', { params });
process.stdout.write(`${ended.data?.task.status}: ${ended.data?.task.result}\n`);
