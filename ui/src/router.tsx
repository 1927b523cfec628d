// The addresses of all pages. Each page is loaded when it is first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Frame } from './frame/frame.tsx';
import { NotFound, PageFailure } from './frame/not-found.tsx';
import { auditSearch } from './pages/audit/audit-search.ts';
import { codebasesSearch } from './pages/codebases/codebases-search.ts';
import { compareSearch } from './pages/compare/compare-search.ts';
import { conversationsSearch } from './pages/conversations/conversations-search.ts';
import { costsSearch } from './pages/costs/costs-search.ts';
import { fleetSearch } from './pages/fleet/fleet-search.ts';
import { funnelSearch } from './pages/funnels/funnels-search.ts';
import { inspectorSearch } from './pages/inspector/inspector-search.ts';
import { newTaskSearch } from './pages/new-task/new-task-search.ts';
import { objectivesSearch } from './pages/objectives/objectives-search.ts';
import { runSearch, runsSearch } from './pages/runs/runs-search.ts';
import { scheduleSearch, schedulesSearch } from './pages/schedules/schedules-search.ts';
import { settingsSearch } from './pages/settings/settings-search.ts';
import { taskSearch } from './pages/task/task-search.ts';
import { taskListSearch } from './pages/tasks/task-list-search.ts';
import { checkTenant } from './session/check-tenant.ts';
import { setActingTenant } from './session/tenant.ts';
import { hasDropped, parseSearch, stringifySearch, textOf, type RawSearch } from './search.ts';

const root = createRootRoute({
  component: Frame,
  notFoundComponent: () => <NotFound />,
  validateSearch: (raw: RawSearch): { tenant?: string | undefined } => ({ tenant: textOf(raw['tenant']) }),
  search: { middlewares: [retainSearchParams(['tenant'])] },
  // Before anything of the page is rendered: its first calls go to this tenant.
  beforeLoad: async ({ search, preload }) => {
    if (preload) return;
    const verdict = await checkTenant(search.tenant);
    setActingTenant(verdict === 'allowed' ? search.tenant : undefined);
    if (verdict !== 'foreign' && verdict !== 'own') return;
    if (verdict === 'foreign') hasDropped.set(true);
    throw redirect({ to: '.', search: (before) => ({ ...before, tenant: undefined }), replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
});
const questionsPage = lazyRouteComponent(() => import('./pages/questions/questions-page.tsx'), 'QuestionsPage');
const questions = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/questions',
  component: questionsPage,
});
const question = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/questions/$id',
  component: questionsPage,
});
const tasks = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/tasks',
  validateSearch: taskListSearch,
  component: lazyRouteComponent(() => import('./pages/tasks/task-list-page.tsx'), 'TaskListPage'),
});
const newTask = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/tasks/new',
  validateSearch: newTaskSearch,
  component: lazyRouteComponent(() => import('./pages/new-task/new-task-page.tsx'), 'NewTaskPage'),
});
const taskPage = lazyRouteComponent(() => import('./pages/task/task-page.tsx'), 'TaskPage');
const task = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/tasks/$id',
  validateSearch: taskSearch,
  component: taskPage,
});
const taskPart = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/tasks/$id/$part',
  validateSearch: taskSearch,
  component: taskPage,
});
const compare = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/ralph',
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import('./pages/runs/run-list-page.tsx'), 'RunListPage'),
});
const newRun = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/ralph/new',
  component: lazyRouteComponent(() => import('./pages/runs/new/new-run-page.tsx'), 'NewRunPage'),
});
const prd = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/ralph/prd/$id',
  component: lazyRouteComponent(() => import('./pages/prd/prd-page.tsx'), 'PrdPage'),
});
const runPage = lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage');
const run = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/ralph/$id',
  validateSearch: runSearch,
  component: runPage,
});
const story = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/ralph/$id/$story',
  validateSearch: runSearch,
  component: runPage,
});
const conversationsPage = lazyRouteComponent(
  () => import('./pages/conversations/conversations-page.tsx'),
  'ConversationsPage',
);
const conversations = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/conversations',
  validateSearch: conversationsSearch,
  component: conversationsPage,
});
const conversation = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/conversations/$id',
  validateSearch: conversationsSearch,
  component: conversationsPage,
});
const fleet = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/fleet',
  validateSearch: fleetSearch,
  component: lazyRouteComponent(() => import('./pages/fleet/fleet-page.tsx'), 'FleetPage'),
});
const worker = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/fleet/$id',
  component: lazyRouteComponent(() => import('./pages/fleet/worker-page.tsx'), 'WorkerPage'),
});
const codebases = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/codebases',
  validateSearch: codebasesSearch,
  component: lazyRouteComponent(() => import('./pages/codebases/codebases-page.tsx'), 'CodebasesPage'),
});
const codebase = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/codebases/$id',
  validateSearch: codebasesSearch,
  component: lazyRouteComponent(() => import('./pages/codebases/codebase-page.tsx'), 'CodebasePage'),
});
const funnels = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/funnels/{-$id}',
  validateSearch: funnelSearch,
  component: lazyRouteComponent(() => import('./pages/funnels/funnels-page.tsx'), 'FunnelsPage'),
});
const schedules = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/schedules',
  validateSearch: schedulesSearch,
  component: lazyRouteComponent(() => import('./pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
});
const schedule = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/schedules/$id',
  validateSearch: scheduleSearch,
  component: lazyRouteComponent(() => import('./pages/schedules/schedule-page.tsx'), 'SchedulePage'),
});
const objectives = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/objectives',
  validateSearch: objectivesSearch,
  component: lazyRouteComponent(() => import('./pages/objectives/objectives-page.tsx'), 'ObjectivesPage'),
});
const objective = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/objectives/$id',
  component: lazyRouteComponent(() => import('./pages/objectives/objective-page.tsx'), 'ObjectivePage'),
});
const costs = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/costs',
  validateSearch: costsSearch,
  component: lazyRouteComponent(() => import('./pages/costs/costs-page.tsx'), 'CostsPage'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});
const inspectorPage = lazyRouteComponent(() => import('./pages/inspector/inspector-page.tsx'), 'InspectorPage');
const inspector = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/inspector',
  validateSearch: inspectorSearch,
  component: inspectorPage,
});
const inspectorPart = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/inspector/$part',
  validateSearch: inspectorSearch,
  component: inspectorPage,
});
const health = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/health',
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
});
const settingsPage = lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage');
const settings = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/settings',
  validateSearch: settingsSearch,
  component: settingsPage,
});
const settingsPart = createRoute({
  getParentRoute: () => root,
  path: '/v1/monitor/settings/$part',
  validateSearch: settingsSearch,
  component: settingsPage,
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    start,
    questions,
    question,
    tasks,
    newTask,
    task,
    taskPart,
    compare,
    runs,
    newRun,
    prd,
    run,
    story,
    conversations,
    conversation,
    fleet,
    worker,
    codebases,
    codebase,
    funnels,
    schedules,
    schedule,
    objectives,
    objective,
    costs,
    audit,
    inspector,
    inspectorPart,
    health,
    settings,
    settingsPart,
  ]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }): ReactNode => <PageFailure error={error} reset={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
