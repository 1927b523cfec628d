// TCP connections out of a tool's sandbox, checked by the egress guard, and never to this machine.
import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { OutgoingTunnels } from '../../domain/ports/sandbox.ts';
import { parseIpAddress } from './address.ts';
import { EgressRefusal, egressGuard, type GuardOptions } from './guard.ts';

const connectMs = 10_000;
/** Ranges of this machine and its cloud. EGRESS_ALLOW does not open them: it allows networks to webhooks, not the machine to tools. */
const localRanges = ['loopback', 'unspecified', 'linkLocal', 'multicast', 'broadcast'];

export function guardedTunnels(options: GuardOptions): OutgoingTunnels {
  const guard = egressGuard(options);
  return {
    async open(host, port, signal) {
      const refusal = guard.refusal(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`);
      if (refusal !== undefined) throw new EgressRefusal(`The address ${refusal}.`);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
      const found = isIP(host) === 0 ? await guard.addressesOf(host, limit) : [{ address: host }];
      if (found.some(({ address }) => isLocalAddress(address))) throw new EgressRefusal('The host is this machine.');
      let last: unknown;
      for (const { address } of found) {
        try {
          return await connected(address, port, limit);
        } catch (error) {
          last = error;
        }
      }
      throw new Error('The host cannot be reached.', { cause: last });
    },
  };
}

function isLocalAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || localRanges.includes(address.range())) return true;
  const localAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return localAddresses.some((each) => parseIpAddress(each.address)?.toString() === address.toString());
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const leave = (): void => {
      socket.destroy();
      reject(new Error('no connection in time'));
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', leave);
      resolve(socket);
    });
    socket.once('error', (error) => {
      signal.removeEventListener('abort', leave);
      reject(error);
    });
    if (signal.aborted) leave();
  });
}
