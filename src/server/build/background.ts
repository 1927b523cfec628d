// The background loops: what each replica does for itself, and what one does for all. choices §10.
import type { Access } from './access.ts';
import { openSharing } from './broker.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import type { Ground } from './ground.ts';
import type { LoopLead } from '../loops/loop-lead.ts';
import { retainCredentials } from '../../domain/access/retain-credentials.ts';
import { retainAgents } from '../../domain/agents/retain-agents.ts';
import { reap } from '../../domain/tasks/reap.ts';
import { retain } from '../../domain/tasks/retain.ts';
import type { DeliverySender } from '../../domain/webhooks/sender.ts';

const sweepMs = 1_000;
/** How late a heartbeat of a push channel may be. */
const beatMs = 250;
/** Deliveries are looked for on a hint; this finds what a lost hint or a dead replica left. */
const outboxMs = 5_000;
/** How often the last uses of keys and sessions are written. */
const usesMs = 2_000;
const auditMs = 1_000;
const clockMs = 30_000;
const mirrorMs = 2_000;
const hourMs = 3_600_000;

/** Begins all of them; they end with `loops`, what they need with `closing`. */
export async function startBackground(
  { config, now, log }: BuildOptions,
  ground: Ground,
  { loops, access, sender }: { loops: LoopLead; access: Access; sender: DeliverySender },
  closing: AsyncDisposableStack,
): Promise<void> {
  const { store, wake, crossings, audit, clock, dispatcher } = ground;
  const housekeeping = { store, crossings, audit: audit.loops };
  const { retentionDays } = config;
  loops.own('database_clock', clockMs, () => clock.ask());
  loops.own('audit', auditMs, () => audit.tick());
  loops.shared('reaper', Math.min(5_000, (config.leaseSeconds * 1000) / 4), () => reap({ ...housekeeping, wake }));
  loops.own('dispatch_sweep', sweepMs, () => dispatcher.sweep());
  loops.own('worker_beat', beatMs, () => Promise.resolve(dispatcher.beat()));
  // Each replica claims a share of what is due.
  loops.own('webhook_sender', outboxMs, () => sender.look());
  loops.own('credential_uses', usesMs, () => access.uses.write());
  loops.shared('retention', hourMs, (signal) => retain(housekeeping, config, signal));
  loops.shared('agent_retention', hourMs, (signal) => retainAgents(housekeeping, retentionDays, signal));
  loops.shared('credential_retention', hourMs, (signal) => retainCredentials(housekeeping, retentionDays, signal));
  const sharing = await openSharing({ config, store, crossings, wake, now, random: Math.random, elapsedMs, log });
  if (sharing !== undefined) {
    closing.use(sharing);
    loops.own('record_mirror', mirrorMs, () => sharing.tick());
  }
  await loops.start();
}
