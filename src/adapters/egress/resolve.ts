// How names become addresses.
import { lookup, Resolver } from 'node:dns/promises';
import type { Resolve } from './guard.ts';

const tryMs = 2_000;
const tries = 2;

/**
 * Asks the name servers itself. Never getaddrinfo, for names that strangers give: its calls hold one of four threads
 * each, and a few names whose servers do not answer would stop every lookup and every file of the process.
 */
export const resolveByServers: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: tryMs, tries });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As every other program on this machine resolves names: its hosts file, its search domains. */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true });
