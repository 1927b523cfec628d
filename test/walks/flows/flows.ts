// The table of flows: every flow of the two documents that stands, each walked in the deployments that it names.
import type { Flow } from './flow.ts';
import { platform } from './platform.ts';
import { runs } from './runs.ts';
import { serviceCore } from './service-core.ts';
import { toolProtocol } from './tool-protocol.ts';

export const flowTable: readonly Flow[] = [...serviceCore, ...toolProtocol, ...runs, ...platform];

/** @throws Error when there is no such flow */
export function flowOf(id: string): Flow {
  const flow = flowTable.find((one) => one.id === id);
  if (flow === undefined) throw new Error(`the table of flows has no ${id}`);
  return flow;
}
