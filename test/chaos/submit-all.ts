// Callers of a chaos test: they submit until every task is acknowledged, whatever happens to the service meanwhile.
import { until } from '../support/until.ts';

/** Submits over 16 connections; a call without an answer is repeated under its own key. */
export async function submitAll(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const submitter = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      ids.push(await until(`task ${i} taken`, () => submit(url, i), 300_000));
    }
  };
  await Promise.all(Array.from({ length: 16 }, submitter));
  return ids;
}

async function submit(url: string, i: number): Promise<string | undefined> {
  const body = JSON.stringify({ title: `task ${i}`, prompt: 'x'.repeat(200), codebase_id: 'global' });
  const headers = {
    authorization: 'Bearer token-of-editor',
    'content-type': 'application/json',
    'idempotency-key': `key ${i}`,
  };
  try {
    const response = await fetch(`${url}/v1/agent/tasks`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status >= 500) return undefined;
    const answer: { task: { id: string } } = JSON.parse(await response.text());
    return answer.task.id;
  } catch {
    // The service is down: once more, under the same key.
    return undefined;
  }
}
