// Callers of a chaos test: they submit until every task is acknowledged, whatever happens to the service meanwhile.
import { until } from '../../support/until.ts';

const callers = 16;

/** Submits over 16 connections; a call without an answer is repeated under its own key. @returns the tasks' ids */
export async function submitAll(url: string, titles: readonly string[]): Promise<string[]> {
  const left = [...titles];
  const ids: string[] = [];
  const submitter = async (): Promise<void> => {
    for (let title = left.shift(); title !== undefined; title = left.shift()) ids.push(await submitOne(url, title));
  };
  await Promise.all(Array.from({ length: callers }, submitter));
  return ids;
}

/** @param fields of the task beside; its title is the key of idempotency too */
export function submitOne(url: string, title: string, fields: Record<string, unknown> = {}): Promise<string> {
  return until(`${title} taken`, () => attempt(url, title, fields), 300_000);
}

async function attempt(url: string, title: string, fields: Record<string, unknown>): Promise<string | undefined> {
  const headers = {
    authorization: 'Bearer token-of-the-editor',
    'content-type': 'application/json',
    'idempotency-key': title,
  };
  try {
    const response = await fetch(`${url}/v1/agent/tasks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title, prompt: 'x'.repeat(200), codebase_id: 'global', ...fields }),
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
