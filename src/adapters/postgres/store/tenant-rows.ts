// The rows of one tenant in one transaction, each built when it is first read: most transactions use one or two.
import type { Rows } from '../../../domain/ports/store/store.ts';
import type { Scope } from './rows/scope.ts';
import { activeCodebaseRows } from './rows/active-codebase-rows.ts';
import { attentionRows } from './rows/attention-rows.ts';
import { analyticsEventRows } from './rows/analytics/analytics-event-rows.ts';
import { funnelRows } from './rows/analytics/funnel-rows.ts';
import { personRows } from './rows/analytics/person-rows.ts';
import { clusterRows } from './rows/cluster/cluster-rows.ts';
import { cronjobRows } from './rows/cronjob-rows.ts';
import { okrRows } from './rows/okr/okr-rows.ts';
import { okrRunRows } from './rows/okr/okr-run-rows.ts';
import { agentRows } from './rows/agent-rows.ts';
import { apiKeyRows } from './rows/access/api-key-rows.ts';
import { auditRows } from './rows/audit-rows.ts';
import { codebaseRows } from './rows/codebase-rows.ts';
import { threadRows } from './rows/tasks/thread-rows.ts';
import { runRecordRows } from './rows/runs/run-record-rows.ts';
import { runRows } from './rows/runs/run-rows.ts';
import { runStepRows } from './rows/runs/run-step-rows.ts';
import { runStoryRows } from './rows/runs/run-story-rows.ts';
import { sessionRows } from './rows/session-rows.ts';
import { sharedRecordRows } from './rows/shared-record-rows.ts';
import { signInCodeRows } from './rows/access/sign-in-code-rows.ts';
import { signInRows } from './rows/access/sign-in-rows.ts';
import { deliveryRows } from './rows/tasks/delivery-rows.ts';
import { interventionRows } from './rows/tasks/intervention-rows.ts';
import { logRows } from './rows/tasks/log-rows.ts';
import { messageRows } from './rows/tasks/message-rows.ts';
import { pushConfigRows } from './rows/tasks/push-config-rows.ts';
import { repeatRows } from './rows/tasks/repeat-rows.ts';
import { reviewRows } from './rows/tasks/results/review-rows.ts';
import { taskResults } from './rows/tasks/results/task-results.ts';
import { routeRows } from './rows/tasks/route-rows.ts';
import { taskMoves } from './rows/tasks/task-moves.ts';
import { taskRows } from './rows/tasks/task-rows.ts';
import { taskStats } from './rows/tasks/task-stats.ts';
import { usageRows } from './rows/insight/usage-rows.ts';
import { prdSessionRows } from './rows/prd-session-rows.ts';
import { toolRows } from './rows/tool-rows.ts';
import { topicMessageRows } from './rows/topic-message-rows.ts';
import { userRows } from './rows/access/user-rows.ts';
import { workerRows } from './rows/worker-rows.ts';

export interface RowsOptions {
  /** Seconds without a heartbeat after which a worker is offline. */
  readonly offlineAfterSeconds: number;
  /** How long idempotency keys are kept. */
  readonly idempotencyHours: number;
}

export class TenantRows implements Rows {
  readonly #scope: Scope;
  readonly #options: RowsOptions;
  #audit: Rows['audit'] | undefined;
  #tasks: Rows['tasks'] | undefined;
  #taskMoves: Rows['taskMoves'] | undefined;
  #taskStats: Rows['taskStats'] | undefined;
  #usage: Rows['usage'] | undefined;
  #taskResults: Rows['taskResults'] | undefined;
  #reviews: Rows['reviews'] | undefined;
  #repeats: Rows['repeats'] | undefined;
  #routes: Rows['routes'] | undefined;
  #workers: Rows['workers'] | undefined;
  #codebases: Rows['codebases'] | undefined;
  #activeCodebases: Rows['activeCodebases'] | undefined;
  #agents: Rows['agents'] | undefined;
  #log: Rows['log'] | undefined;
  #messages: Rows['messages'] | undefined;
  #threads: Rows['threads'] | undefined;
  #attention: Rows['attention'] | undefined;
  #sessions: Rows['sessions'] | undefined;
  #shared: Rows['shared'] | undefined;
  #deliveries: Rows['deliveries'] | undefined;
  #pushConfigs: Rows['pushConfigs'] | undefined;
  #interventions: Rows['interventions'] | undefined;
  #users: Rows['users'] | undefined;
  #apiKeys: Rows['apiKeys'] | undefined;
  #signIns: Rows['signIns'] | undefined;
  #signInCodes: Rows['signInCodes'] | undefined;
  #tools: Rows['tools'] | undefined;
  #topicMessages: Rows['topicMessages'] | undefined;
  #prdSessions: Rows['prdSessions'] | undefined;
  #cronjobs: Rows['cronjobs'] | undefined;
  #analyticsEvents: Rows['analyticsEvents'] | undefined;
  #people: Rows['people'] | undefined;
  #funnels: Rows['funnels'] | undefined;
  #cluster: Rows['cluster'] | undefined;
  #okrs: Rows['okrs'] | undefined;
  #okrRuns: Rows['okrRuns'] | undefined;
  #runs: Rows['runs'] | undefined;
  #runStories: Rows['runStories'] | undefined;
  #runSteps: Rows['runSteps'] | undefined;
  #runRecords: Rows['runRecords'] | undefined;

  constructor(scope: Scope, options: RowsOptions) {
    this.#scope = scope;
    this.#options = options;
  }

  get audit(): Rows['audit'] {
    return (this.#audit ??= auditRows(this.#scope));
  }

  get tasks(): Rows['tasks'] {
    return (this.#tasks ??= taskRows(this.#scope));
  }

  get taskMoves(): Rows['taskMoves'] {
    return (this.#taskMoves ??= taskMoves(this.#scope, this.#options.offlineAfterSeconds));
  }

  get taskStats(): Rows['taskStats'] {
    return (this.#taskStats ??= taskStats(this.#scope));
  }

  get usage(): Rows['usage'] {
    return (this.#usage ??= usageRows(this.#scope));
  }

  get taskResults(): Rows['taskResults'] {
    return (this.#taskResults ??= taskResults(this.#scope));
  }

  get reviews(): Rows['reviews'] {
    return (this.#reviews ??= reviewRows(this.#scope));
  }

  get repeats(): Rows['repeats'] {
    return (this.#repeats ??= repeatRows(this.#scope, this.#options.idempotencyHours));
  }

  get routes(): Rows['routes'] {
    return (this.#routes ??= routeRows(this.#scope));
  }

  get workers(): Rows['workers'] {
    return (this.#workers ??= workerRows(this.#scope, this.#options.offlineAfterSeconds));
  }

  get codebases(): Rows['codebases'] {
    return (this.#codebases ??= codebaseRows(this.#scope));
  }

  get activeCodebases(): Rows['activeCodebases'] {
    return (this.#activeCodebases ??= activeCodebaseRows(this.#scope));
  }

  get agents(): Rows['agents'] {
    return (this.#agents ??= agentRows(this.#scope, this.#options.offlineAfterSeconds));
  }

  get log(): Rows['log'] {
    return (this.#log ??= logRows(this.#scope));
  }

  get messages(): Rows['messages'] {
    return (this.#messages ??= messageRows(this.#scope));
  }

  get threads(): Rows['threads'] {
    return (this.#threads ??= threadRows(this.#scope));
  }

  get attention(): Rows['attention'] {
    return (this.#attention ??= attentionRows(this.#scope));
  }

  get sessions(): Rows['sessions'] {
    return (this.#sessions ??= sessionRows(this.#scope));
  }

  get shared(): Rows['shared'] {
    return (this.#shared ??= sharedRecordRows(this.#scope));
  }

  get deliveries(): Rows['deliveries'] {
    return (this.#deliveries ??= deliveryRows(this.#scope));
  }

  get pushConfigs(): Rows['pushConfigs'] {
    return (this.#pushConfigs ??= pushConfigRows(this.#scope));
  }

  get interventions(): Rows['interventions'] {
    return (this.#interventions ??= interventionRows(this.#scope));
  }

  get users(): Rows['users'] {
    return (this.#users ??= userRows(this.#scope));
  }

  get apiKeys(): Rows['apiKeys'] {
    return (this.#apiKeys ??= apiKeyRows(this.#scope));
  }

  get signIns(): Rows['signIns'] {
    return (this.#signIns ??= signInRows(this.#scope));
  }

  get signInCodes(): Rows['signInCodes'] {
    return (this.#signInCodes ??= signInCodeRows(this.#scope));
  }

  get tools(): Rows['tools'] {
    return (this.#tools ??= toolRows(this.#scope));
  }

  get prdSessions(): Rows['prdSessions'] {
    return (this.#prdSessions ??= prdSessionRows(this.#scope));
  }

  get topicMessages(): Rows['topicMessages'] {
    return (this.#topicMessages ??= topicMessageRows(this.#scope));
  }

  get cronjobs(): Rows['cronjobs'] {
    return (this.#cronjobs ??= cronjobRows(this.#scope));
  }

  get analyticsEvents(): Rows['analyticsEvents'] {
    return (this.#analyticsEvents ??= analyticsEventRows(this.#scope));
  }

  get people(): Rows['people'] {
    return (this.#people ??= personRows(this.#scope));
  }

  get funnels(): Rows['funnels'] {
    return (this.#funnels ??= funnelRows(this.#scope));
  }

  get cluster(): Rows['cluster'] {
    return (this.#cluster ??= clusterRows(this.#scope));
  }

  get okrs(): Rows['okrs'] {
    return (this.#okrs ??= okrRows(this.#scope));
  }

  get okrRuns(): Rows['okrRuns'] {
    return (this.#okrRuns ??= okrRunRows(this.#scope));
  }

  get runs(): Rows['runs'] {
    return (this.#runs ??= runRows(this.#scope, this.#options.offlineAfterSeconds));
  }

  get runStories(): Rows['runStories'] {
    return (this.#runStories ??= runStoryRows(this.#scope));
  }

  get runSteps(): Rows['runSteps'] {
    return (this.#runSteps ??= runStepRows(this.#scope));
  }

  get runRecords(): Rows['runRecords'] {
    return (this.#runRecords ??= runRecordRows(this.#scope));
  }
}
