// Fetches a JSON document of the identity provider, without following redirects or reading large bodies.
import type { Egress } from '../../domain/ports/egress.ts';
import { parseJson } from '../../lib/json/json-text.ts';

/** The subset of `fetch` that is used. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

const maxBytes = 512 * 1024;
const headers = { accept: 'application/json' };

/** Fetches an address that the operator configured. @throws Error on a timeout, a status other than 200, too long or invalid JSON */
export async function fetchJson(fetch: Fetch, url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered ${response.status}`);
  }
  return parseJson(await readBody(response, url));
}

/** Fetches an address that a document named. @throws like `fetchJson`, and when the egress guard refuses the address */
export async function fetchJsonElsewhere(
  egress: Pick<Egress, 'send'>,
  url: URL,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<unknown> {
  const request = { url: url.href, method: 'GET', headers, timeoutMs, maxAnswerBytes: maxBytes, signal } as const;
  const answer = await egress.send(request);
  if (answer.outcome !== 'answered') throw new Error(`${url.href} ${answer.outcome}: ${answer.reason}`);
  if (answer.statusCode !== 200) throw new Error(`${url.href} answered ${answer.statusCode}`);
  if (!answer.complete) throw new Error(`${url.href} broke off, or answered more than ${maxBytes} bytes`);
  return parseJson(answer.body);
}

async function readBody(response: Response, url: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${url.href} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
