// The ports of the rows of objectives, key results and their runs.
import type {
  KeyResult,
  KeyResultState,
  Okr,
  OkrRun,
  OkrRunItem,
  OkrRunStatus,
  OkrSettings,
  OkrStatus,
  OkrView,
} from '../../../model/okr/okr.ts';

/** The last id of the page before. */
interface OkrPage {
  readonly limit: number;
  readonly before: string | undefined;
}

/** Undefined members do not narrow. */
export interface OkrFilter {
  readonly status: OkrStatus | undefined;
  readonly owner: string | undefined;
  /** Found in the objective, whatever its case. */
  readonly text: string | undefined;
}

export type OkrChange = Partial<OkrSettings> &
  Partial<Pick<Okr, 'status'>> & {
    /** The subject that approved or denied it, now. */
    readonly decision?: Pick<Okr, 'decidedBy' | 'decisionReason'>;
  };

export type NewKeyResult = Omit<KeyResult, 'updatedAt'>;
export type KeyResultChange = Partial<Pick<KeyResult, 'title' | 'weight' | 'measure' | 'position'> & KeyResultState>;

export interface OkrRows {
  insert(okr: OkrSettings & Pick<Okr, 'okrId' | 'createdBy'>): Promise<void>;
  find(okrId: string): Promise<OkrView | undefined>;
  /** Locks it: every change of an objective, its key results and runs is made under this lock. */
  lock(okrId: string): Promise<OkrView | undefined>;
  /** Newest first. */
  list(filter: OkrFilter, page: OkrPage): Promise<OkrView[]>;
  countByStatus(): Promise<Partial<Record<OkrStatus, number>>>;
  /** A new version of it. */
  update(okrId: string, change: OkrChange): Promise<void>;
  delete(okrId: string): Promise<void>;
  addKeyResult(keyResult: NewKeyResult): Promise<void>;
  updateKeyResult(id: Pick<KeyResult, 'okrId' | 'keyResultId'>, change: KeyResultChange): Promise<void>;
  deleteKeyResult(id: Pick<KeyResult, 'okrId' | 'keyResultId'>): Promise<void>;
}

/** The report of an agent about a key result. */
export type EarlierReport = Pick<OkrRunItem, 'summary' | 'evidence' | 'progressBefore' | 'progressAfter'> & {
  readonly at: string;
};

export interface OkrRunRows {
  insert(run: Omit<OkrRun, 'createdAt' | 'endedAt' | 'error'>): Promise<void>;
  find(okrId: string, runId: string): Promise<OkrRun | undefined>;
  /** Newest first. */
  list(okrId: string, status: OkrRunStatus | undefined, page: OkrPage): Promise<OkrRun[]>;
  /** `endedAt` is set when the new status is an end. */
  update(
    run: Pick<OkrRun, 'okrId' | 'runId'>,
    change: Partial<Pick<OkrRun, 'status' | 'items' | 'error'>>,
  ): Promise<void>;
  /** Reports of ended runs about a key result, newest first. */
  reports(okrId: string, keyResultId: string, limit: number): Promise<EarlierReport[]>;
  /** Tasks for a key result in all runs. */
  countTasks(okrId: string, keyResultId: string): Promise<{ readonly ended: number; readonly completed: number }>;
  /** Deletes runs that ended more than this many days ago. @returns how many */
  drop(olderThanDays: number, limit: number): Promise<number>;
}
