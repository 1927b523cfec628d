// Resolves host names to addresses.
import { lookup, Resolver } from 'node:dns/promises';
import type { Resolve } from './guard.ts';

const tryMs = 2_000;
const tries = 2;

/**
 * Queries the name servers directly. Host names from untrusted callers must not use getaddrinfo: each call holds one of
 * four threads, so a few names with unresponsive servers would stop every lookup and file operation of the process.
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

/** Resolves like every other program on this machine, with its hosts file and search domains. */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true });
