// The part of a submit that is neither HTTP nor the task, measured separately next to the submits.
import { z } from 'zod';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';

/** Runs the request pipeline as a submit does, without the submit. */
export async function openPipelineShare({ size, start }: BenchSetup, database: BenchDatabase): Promise<Implementation> {
  const process = start('pipeline');
  await process.request('open', { login: database.service }, z.object({}));
  return {
    name: 'request pipeline',
    what: 'identify, permit, audit',
    kind: 'share',
    serverPid: process.pid,
    storePid: database.pid,
    round: () => process.request('round', { durationMs: size.roundMs, callers: size.connections }, roundFigures),
  };
}
