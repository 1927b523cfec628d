// Calls of an API server as its administrator, for tests: JSON over https on loopback, whatever its certificate.
import { Agent, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

export interface ApiAnswer {
  readonly status: number;
  // An object of the API: tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export const patchTypes = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

export async function askApi(
  { port, token }: { readonly port: number; readonly token: string },
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const isJson = response.headers['content-type']?.includes('json') === true;
  if (!isJson) response.resume();
  return { status: response.statusCode ?? 0, body: isJson ? await json(response) : undefined };
}
