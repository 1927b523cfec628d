// A line to the service that a test can cut and mend: while it is cut, every connection is reset.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface ConnectionGate extends AsyncDisposable {
  readonly url: string;
  /** Resets what is open and refuses what comes. */
  cut(): void;
  mend(): void;
}

/** A line to `target` that stands. */
export async function openConnectionGate(target: string): Promise<ConnectionGate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    hold(near);
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = hold(connect(Number(port), hostname));
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
