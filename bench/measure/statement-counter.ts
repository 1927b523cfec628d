// Counts the statements that clients send to PostgreSQL, on the wire: a line to the server that reads what passes.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { DatabaseLogin } from '../database.ts';

/** Begin, commit and the setting of the tenant: a part of every transaction. */
const framing = /^(begin|commit|rollback|set_tenant)$/;

export interface StatementCounter extends AsyncDisposable {
  /** The server's login, by way of the line. */
  readonly login: DatabaseLogin;
  /** Statements by name, or by text where they have none, without those that frame a transaction. */
  readonly counts: Map<string, number>;
}

export async function openStatementCounter(server: DatabaseLogin): Promise<StatementCounter> {
  const counts = new Map<string, number>();
  const count = (statement: string): void => {
    if (!framing.test(statement)) counts.set(statement, (counts.get(statement) ?? 0) + 1);
  };
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = server.host.startsWith('/')
      ? connect(`${server.host}/.s.PGSQL.${server.port}`)
      : connect(server.port, server.host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.on('data', readMessages(count));
    near.pipe(far).pipe(near);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('the line does not listen');
  return {
    login: { ...server, host: '127.0.0.1', port: address.port },
    counts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      line.close();
      await once(line, 'close');
    },
  };
}

/** Reads one connection's messages of the protocol, version 3. */
function readMessages(count: (statement: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  let bound = '';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message has no type.
      const at = isStarted ? 1 : 0;
      if (rest.length < at + 4) return;
      const end = at + rest.readInt32BE(at);
      if (rest.length < end) return;
      const type = isStarted ? String.fromCodePoint(rest[0] ?? 0) : 'start';
      const texts = rest.toString('latin1', at + 4, end).split('\0');
      isStarted = true;
      rest = rest.subarray(end);
      if (type === 'Q') count(texts[0] ?? '');
      if (type === 'B') bound = texts[1] ?? '';
      if (type === 'E') count(bound);
    }
  };
}
