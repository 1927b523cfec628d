// The service, one process for all its measurements, as a user runs it: a second one on the same database would add
// notifications between the two.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { BenchSetup } from './implementation.ts';
import type { BenchDatabase } from './database.ts';
import { readMemory, type Memory } from './measure/memory.ts';

const opened = z.object({ url: z.string() });
/** Each measurement has a tenant of its own, so that its pending tasks are not another's work. */
const tenants = ['submit', 'cycle', 'delivered', 'idle', 'a2a', 'tools'] as const;
export type BenchTenant = (typeof tenants)[number];

export interface BenchService {
  readonly url: string;
  readonly pid: number;
  /** The credential of a tenant's operator. */
  readonly tokenOf: (tenant: BenchTenant) => string;
  memory(): Promise<Memory>;
  readonly memoryAtStart: Memory;
}

/** @param nodeArguments for the service's process, for a profile of it */
export async function startBenchService(
  opening: BenchSetup,
  database: BenchDatabase,
  nodeArguments: readonly string[],
): Promise<BenchService> {
  const tokens = Object.fromEntries(tenants.map((tenant) => [tenant, randomBytes(24).toString('base64url')]));
  const child = opening.start('serve', nodeArguments);
  const { url } = await child.request('open', { login: database.service, tokens }, opened);
  return {
    url,
    pid: child.pid,
    tokenOf: (tenant) => tokens[tenant] ?? '',
    memory: () => readMemory(child.pid),
    memoryAtStart: await readMemory(child.pid),
  };
}
