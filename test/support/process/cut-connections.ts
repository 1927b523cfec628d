// Connections to a service that are cut at places that a test names.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface CutConnections extends AsyncDisposable {
  readonly url: string;
  readonly cuts: number;
}

/** Passes connections on to a service, each until so many bytes of its answers have gone through. */
export async function cutConnections(
  serviceUrl: string,
  bytesOf: (connection: number) => number,
): Promise<CutConnections> {
  const { hostname, port } = new URL(serviceUrl);
  const open = new Set<Socket>();
  let [count, cuts] = [0, 0];
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let left = bytesOf(count);
    count += 1;
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => far.write(chunk));
    far.on('data', (chunk: Buffer) => {
      near.write(chunk.subarray(0, Math.max(0, left)));
      left -= chunk.length;
      if (left > 0) return;
      cuts += 1;
      near.destroySoon();
      far.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
