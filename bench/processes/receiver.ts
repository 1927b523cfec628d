// Process: a webhook receiver that accepts and counts every request.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { serveCommands } from '../serve-commands.ts';

const expectInput = z.object({ operations: z.number() });

let remaining = 0;
let allReceived = Promise.withResolvers<void>();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end();
    remaining -= 1;
    if (remaining === 0) allReceived.resolve();
  });
});

serveCommands(
  {
    async open() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return { url: `http://127.0.0.1:${address.port}` };
    },
    expect(input) {
      remaining = expectInput.parse(input).operations;
      allReceived = Promise.withResolvers();
      return Promise.resolve({});
    },
    async received() {
      await allReceived.promise;
      return {};
    },
  },
  async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  },
);
