// Process: a bare node:http server that parses a JSON body and answers it. The upper bound of any door on this
// machine and this Node.
import { createServer } from 'node:http';
import { jsonServer, listen } from '../json-server.ts';
import { obey } from '../obey.ts';

const server = createServer(jsonServer((_, body) => Promise.resolve({ status: 201, body })));

obey(
  {
    async open() {
      return { url: await listen(server) };
    },
  },
  async () => {
    server.closeAllConnections();
    await Promise.resolve(server.close());
  },
);
