// What of a submit is neither HTTP nor the task: measured alone, beside the submits it is a part of.
import { z } from 'zod';
import type { Contestant, Opening } from '../contestant.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';

/** Enters the hallway as a submit does, without the submit. */
export async function openHallwayShare({ size, start }: Opening, database: BenchDatabase): Promise<Contestant> {
  const process = start('hallway');
  await process.ask('open', { login: database.service }, z.object({}));
  return {
    name: 'the hallway',
    what: 'identify, permit, audit',
    kind: 'share',
    serverPid: process.pid,
    storePid: database.pid,
    round: () => process.ask('round', { durationMs: size.roundMs, callers: size.connections }, roundFigures),
  };
}
