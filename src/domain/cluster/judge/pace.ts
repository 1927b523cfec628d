// When the next round of restarts may begin. platform-1.3. Pure.
import type { ClusterMemory, Round } from '../../model/cluster/health.ts';

/** Intervals between the rounds of one template that fall ill again: 5, 10, 20, 40, then 60 minutes by default. */
const backoffFactors = [1, 2, 4, 8, 12];

export interface Pace {
  /** The earliest begin of any round, in milliseconds since 1970. */
  readonly intervalUntil: number;
  /** The earliest begin of a round of this template. */
  readonly backoffUntil: number;
  /** The attempt that the next round of this template is. */
  readonly attempt: number;
  /** The latest round of this template that counts. */
  readonly last: Round | undefined;
}

/** @param rounds the newest first */
export function paceOf(
  rounds: readonly Round[],
  templateHash: string | null,
  memory: ClusterMemory,
  intervalSeconds: number,
): Pace {
  const intervalMs = intervalSeconds * 1000;
  const newest = rounds[0];
  const forgiven = memory.forgiven[templateHash ?? ''] ?? 0;
  const last = rounds.find((round) => round.templateHash === templateHash && round.number > forgiven);
  const attempt = (last?.attempt ?? 0) + 1;
  const factor = backoffFactors[Math.min(attempt - 1, backoffFactors.length) - 1] ?? 0;
  return {
    intervalUntil: newest === undefined ? 0 : newest.startedAt + intervalMs,
    backoffUntil: last === undefined ? 0 : last.startedAt + factor * intervalMs,
    attempt,
    last,
  };
}
