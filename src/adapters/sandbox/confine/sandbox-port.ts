// Opens a port inside the network of a sandbox that the service serves. A helper creates the listening socket inside and
// passes it to the service, so that no other network connection and no path leads in or out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:net';
import { proxyPort } from './confinement.ts';
import type { SandboxPrograms } from './programs.ts';

/** Source of the helper. It exits with the service, too. */
const helper = `process.once('disconnect', () => process.exit(1));
const s = require('node:net').createServer();
s.listen(${proxyPort}, '0.0.0.0', () => process.send('open', s, () => process.exit(0)));`;

/**
 * @param pid first process of the sandbox
 * @param isRoot whether the service may enter any network namespace; otherwise it enters as the owner of the sandbox
 * @throws Error when the helper fails
 */
export async function openSandboxPort(
  { nsenter }: SandboxPrograms,
  pid: number,
  isRoot: boolean,
  signal: AbortSignal,
): Promise<Server> {
  const enter = isRoot
    ? [`--net=/proc/${pid}/ns/net`]
    : ['--target', String(pid), '--user', '--net', '--preserve-credentials'];
  const child = spawn(nsenter, [...enter, '--', process.execPath, '-e', helper], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
    cwd: '/',
    signal,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(0, 1000);
  });
  const ended = once(child, 'exit').then(() => undefined);
  let server: Server | undefined;
  child.on('message', (_message, handle) => {
    if (handle instanceof Server) server = handle;
  });
  await ended;
  if (server !== undefined) return server;
  throw new Error(`no port could be opened within the sandbox: ${complaint.trim()}`);
}
