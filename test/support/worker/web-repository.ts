// A repository served over HTTP on loopback, as plain files: open, behind a password, elsewhere, or never answering.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

export interface WebRepository extends AsyncDisposable {
  url: string;
  /** The lines that calls logged. */
  authorizations: (string | undefined)[];
}

type Manner = 'open' | 'password' | 'redirect' | 'silent';

/** Serves a bare repository in which `git update-server-info` has run. The password is `u:secret-word`. */
export async function serveRepository(folder: string, manner: Manner): Promise<WebRepository> {
  const authorizations: (string | undefined)[] = [];
  const expected = `Basic ${Buffer.from('u:secret-word').toString('base64')}`;
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    if (manner === 'silent') return;
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (manner === 'redirect' && !pathname.startsWith('/elsewhere/')) {
      response.writeHead(301, { location: `/elsewhere${request.url}` }).end();
    } else if (manner === 'password' && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else {
      readFile(join(folder, pathname.replace(/^(\/elsewhere)?\/app\.git\//, ''))).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/app.git`,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
