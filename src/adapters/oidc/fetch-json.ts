// Fetches a JSON document of the identity provider: no redirect is followed, no large body is read.

/** What an adapter needs of `fetch`. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

const maxBytes = 512 * 1024;

/** @throws whatever is wrong: no answer before `signal`, another status than 200, too long, no JSON */
export async function fetchJson(fetch: Fetch, url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered ${response.status}`);
  }
  const value: unknown = JSON.parse(utf8.decode(await readBody(response, url)));
  return value;
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

const utf8 = new TextDecoder('utf-8', { fatal: true });
