// Process: a bare node:http server that parses a JSON body and answers it. The upper bound of any endpoint on this
// machine and this Node.
import { createServer } from 'node:http';
import { jsonServer, listenOnLoopback } from '../implementations/json-server.ts';
import { serveCommands } from '../serve-commands.ts';

const server = createServer(jsonServer((_, body) => Promise.resolve({ status: 201, body })));

serveCommands(
  {
    async open() {
      return { url: await listenOnLoopback(server) };
    },
  },
  async () => {
    server.closeAllConnections();
    await Promise.resolve(server.close());
  },
);
