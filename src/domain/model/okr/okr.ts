// The nouns objective, key result and OKR run. platform-4.
import type { ActingOwner } from '../access/acting-owner.ts';
import type { TaskTemplate } from '../task/task-template.ts';
import type { Measure } from './measure.ts';

export const okrStatuses = ['draft', 'approved', 'running', 'completed', 'denied'] as const;
export type OkrStatus = (typeof okrStatuses)[number];

export type KeyResultStatus = 'not-started' | 'in-progress' | 'completed' | 'blocked';

/** The fields that the tasks of its runs share; each task has a prompt of its own. */
export type OkrTaskTemplate = Omit<Partial<TaskTemplate>, 'conversationId'>;

/** The part of an objective that its caller decides. */
export interface OkrSettings {
  readonly objective: string;
  readonly description: string | null;
  /** The person or team that answers for it. */
  readonly owner: string;
  /** `2027-03-31`. */
  readonly targetDate: string | null;
  readonly tags: readonly string[];
  readonly taskTemplate: OkrTaskTemplate | null;
}

export interface Okr extends OkrSettings {
  readonly okrId: string;
  readonly status: OkrStatus;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly decisionReason: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** The part of a key result that is frozen once its objective is running. */
export interface KeyResultPlan {
  readonly title: string;
  /** 0 to 100. */
  readonly weight: number;
  readonly measure: Measure;
}

/** The part of a key result that moves. */
export interface KeyResultState {
  /** The value of the measure number; null: nobody has reported it. */
  readonly current: number | null;
  /** 0 to 100, with 2 decimals. 100 is `completed`. */
  readonly progress: number;
  readonly status: KeyResultStatus;
  readonly statusReason: string | null;
}

export interface KeyResult extends KeyResultPlan, KeyResultState {
  readonly okrId: string;
  readonly keyResultId: string;
  readonly position: number;
  readonly updatedAt: string;
}

/** An objective with its key results in their order, and its open run. */
export interface OkrView extends Okr {
  readonly keyResults: readonly KeyResult[];
  readonly openRunId: string | null;
}

export const okrRunStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type OkrRunStatus = (typeof okrRunStatuses)[number];

/** `unreported`: its task completed and left no valid report. */
export type OkrItemStatus = 'pending' | 'running' | 'completed' | 'unreported' | 'failed' | 'cancelled';

/** One key result in a run: its task, and what became of it. */
export interface OkrRunItem {
  readonly keyResultId: string;
  /** Null: its turn has not come, or needed no task. */
  readonly taskId: string | null;
  readonly status: OkrItemStatus;
  readonly summary: string | null;
  readonly evidence: readonly string[];
  readonly progressBefore: number;
  /** Null until the item has ended. */
  readonly progressAfter: number | null;
}

export interface OkrRun {
  readonly okrId: string;
  readonly runId: string;
  readonly status: OkrRunStatus;
  readonly mode: 'parallel' | 'sequential';
  readonly items: readonly OkrRunItem[];
  readonly instructions: string | null;
  readonly taskTemplate: OkrTaskTemplate | null;
  readonly createdBy: string;
  readonly actsAs: ActingOwner;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly error: OkrRunError | null;
}

export interface OkrRunError {
  readonly code: string;
  readonly message: string;
}

/** The topic of the tasks that runs create. */
export const okrTopic = 'okr_task';

/** The report of an agent about its key result, from the artifact `okr-progress`. */
export interface OkrReport {
  readonly summary: string;
  readonly evidence: readonly string[];
  readonly progress?: number | undefined;
  readonly current?: number | undefined;
  readonly status?: KeyResultStatus | undefined;
}

export const okrReportName = 'okr-progress';
