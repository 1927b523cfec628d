// A loopback proxy that adds a bearer to what passes through: for tools that cannot send one.
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';

export interface BearerProxy extends AsyncDisposable {
  readonly url: string;
}

/** @param target scheme, host and port. Headers pass as they are, `Host` too. */
export async function bearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target);
  const server: Server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url } = incoming;
    const passed = request({ hostname, port, method, path: url, headers, setHost: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
