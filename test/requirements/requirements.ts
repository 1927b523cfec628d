// The specification as data: every testable statement of both documents and of the choices that settle their gaps.
// Tests cite ids in brackets; `node test/requirements/list.ts foundation missing` prints what still lacks a test.
import { choicesAccess } from './choices/access.ts';
import { choicesEndpoints } from './choices/endpoints.ts';
import { choicesRunning } from './choices/running.ts';
import { choicesShapesLater } from './choices/shapes-later.ts';
import { choicesShapes } from './choices/shapes.ts';
import { choicesStates } from './choices/states.ts';
import { choicesWorkers } from './choices/workers.ts';
import { coreEndpoints } from './core/endpoints.ts';
import { coreEventsLimits } from './core/events-limits.ts';
import { coreResources } from './core/resources.ts';
import { coreSecurity } from './core/security.ts';
import { coreService } from './core/service.ts';
import { coreStates } from './core/states.ts';
import { coreWorkersRecords } from './core/workers-records.ts';
import { platformAnalytics } from './platform/analytics.ts';
import { platformArchive } from './platform/archive.ts';
import { platformBaseBackup } from './platform/base-backup.ts';
import { platformCluster } from './platform/cluster.ts';
import { platformCron } from './platform/cron.ts';
import { platformDeployment } from './platform/deployment.ts';
import { platformFunnel } from './platform/funnel.ts';
import { platformOkr } from './platform/okr.ts';
import type { Requirement } from './requirement.ts';
import { runDocuments } from './runs/documents.ts';
import { runInterface } from './runs/interface.ts';
import { runQuality } from './runs/quality.ts';
import { runStates } from './runs/states.ts';
import { toolsMarketing } from './tools/marketing.ts';
import { toolsProtocol } from './tools/protocol.ts';
import { toolsRuns } from './tools/runs.ts';
import { uiFleet } from './ui/fleet.ts';
import { uiChanges } from './ui/changes.ts';
import { uiHome } from './ui/home.ts';
import { uiAdmin } from './ui/admin.ts';
import { uiInsight, uiInspector } from './ui/insight.ts';
import { uiPlans } from './ui/plans.ts';
import { uiLive } from './ui/live.ts';
import { uiLivePages } from './ui/live-pages.ts';
import { uiOutput } from './ui/output.ts';
import { uiPageBehaviour, uiPages, uiViews } from './ui/views.ts';
import { uiQuality } from './ui/quality.ts';
import { uiQuestions } from './ui/questions.ts';
import { uiRuns } from './ui/runs.ts';
import { uiSignIn } from './ui/sign-in.ts';
import { uiTaskLists } from './ui/task-lists.ts';

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
  ...runStates,
  ...runInterface,
  ...runQuality,
  ...runDocuments,
  ...uiTaskLists,
  ...uiQuestions,
  ...uiOutput,
  ...uiInsight,
  ...uiRuns,
  ...uiSignIn,
  ...uiLive,
  ...uiLivePages,
  ...uiPages,
  ...uiPageBehaviour,
  ...uiHome,
  ...uiInspector,
  ...uiFleet,
  ...uiChanges,
  ...uiViews,
  ...uiAdmin,
  ...uiPlans,
  ...uiQuality,
  ...platformCron,
  ...platformOkr,
  ...platformAnalytics,
  ...platformCluster,
  ...platformDeployment,
  ...platformArchive,
  ...platformBaseBackup,
  ...platformFunnel,
  ...choicesRunning,
  ...choicesStates,
  ...choicesShapes,
  ...choicesShapesLater,
  ...choicesAccess,
  ...choicesWorkers,
  ...choicesEndpoints,
];

/** The requirement of that id; undefined when there is none. */
export function requirement(id: string): Requirement | undefined {
  return requirementList.find((entry) => entry.id === id);
}
