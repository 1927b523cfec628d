// Process: a receiver of webhooks that takes whatever comes and counts it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { obey } from '../obey.ts';

const expectInput = z.object({ operations: z.number() });

let left = 0;
let all = Promise.withResolvers<void>();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end();
    left -= 1;
    if (left === 0) all.resolve();
  });
});

obey(
  {
    async open() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return { url: `http://127.0.0.1:${address.port}` };
    },
    expect(input) {
      left = expectInput.parse(input).operations;
      all = Promise.withResolvers();
      return Promise.resolve({});
    },
    async received() {
      await all.promise;
      return {};
    },
  },
  async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  },
);
