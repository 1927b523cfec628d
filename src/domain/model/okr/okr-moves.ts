// The moves of an objective from status to status. platform-4.
import type { OkrStatus } from './okr.ts';

export const okrMoves: Readonly<Record<OkrStatus, readonly OkrStatus[]>> = {
  draft: ['approved', 'denied'],
  approved: ['running', 'denied'],
  running: ['completed', 'denied'],
  completed: [],
  denied: [],
};

export function hasEnded(status: OkrStatus): boolean {
  return okrMoves[status].length === 0;
}

/** Whether title, measure, weight and the set of its key results may change: until it is running. */
export function isPlanOpen(status: OkrStatus): boolean {
  return status === 'draft' || status === 'approved';
}
