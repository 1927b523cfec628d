// The specification as data: every testable statement of both documents and of the choices that settle their gaps.
// Tests cite ids in brackets; `node test/requirements/list.ts foundation missing` prints what still lacks a test.
import { choicesAccess } from './requirements/choices-access.ts';
import { choicesDoors } from './requirements/choices-doors.ts';
import { choicesRunning } from './requirements/choices-running.ts';
import { choicesShapesLater } from './requirements/choices-shapes-later.ts';
import { choicesShapes } from './requirements/choices-shapes.ts';
import { choicesStates } from './requirements/choices-states.ts';
import { choicesWorkers } from './requirements/choices-workers.ts';
import { coreEndpoints } from './requirements/core-endpoints.ts';
import { coreEventsLimits } from './requirements/core-events-limits.ts';
import { coreResources } from './requirements/core-resources.ts';
import { coreSecurity } from './requirements/core-security.ts';
import { coreService } from './requirements/core-service.ts';
import { coreStates } from './requirements/core-states.ts';
import { coreWorkersRecords } from './requirements/core-workers-records.ts';
import type { Requirement } from './requirements/requirement.ts';
import { toolsMarketing } from './requirements/tools-marketing.ts';
import { toolsProtocol } from './requirements/tools-protocol.ts';
import { toolsRuns } from './requirements/tools-runs.ts';

/** Every requirement, in the order of the documents. */
export const requirementList: readonly Requirement[] = [
  ...coreService,
  ...coreResources,
  ...coreWorkersRecords,
  ...coreStates,
  ...coreEndpoints,
  ...coreSecurity,
  ...coreEventsLimits,
  ...toolsProtocol,
  ...toolsRuns,
  ...toolsMarketing,
  ...choicesRunning,
  ...choicesStates,
  ...choicesShapes,
  ...choicesShapesLater,
  ...choicesAccess,
  ...choicesWorkers,
  ...choicesDoors,
];

/** The requirement of that id; undefined when there is none. */
export function requirement(id: string): Requirement | undefined {
  return requirementList.find((entry) => entry.id === id);
}
