// The noun task: its request, its state, its result.
import type { WorkspaceMode } from '../codebase.ts';
import type { SentIntervention } from '../intervention.ts';
import type { TaskStatus } from './task-state.ts';
import type { TaskStep } from './task-step.ts';
import type { DiffSize } from './diff-size.ts';

export interface TaskError {
  readonly code: string;
  readonly message: string;
  /** ISO 8601: when the limit of a model ends, for `rate_limited`. */
  readonly retry_at?: string | undefined;
}

/** Usage of an attempt, as far as its agent reported it. */
export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_tokens?: number;
  readonly cost_usd?: number;
  readonly duration_ms?: number;
  readonly cost_source?: 'agent' | 'table' | 'none';
}

/** One part of a message: text, data, or a file by its bytes (base64) or URL. */
export type Part =
  | { readonly text: string; readonly metadata?: Record<string, unknown> }
  | { readonly data: unknown; readonly metadata?: Record<string, unknown> }
  | {
      readonly file: {
        readonly name?: string;
        readonly mime_type?: string;
        readonly bytes?: string;
        readonly uri?: string;
      };
      readonly metadata?: Record<string, unknown>;
    };

/** One message of the exchange with a task's agent. */
export interface TaskMessage {
  readonly messageId: string;
  readonly role: 'user' | 'agent';
  readonly parts: readonly Part[];
  readonly metadata: Record<string, unknown>;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** The needs of a task that decide which workers may serve it. */
export interface RouteNeeds {
  /** An id, `global`, `__pending__`, or null: no worker serves it. core-3.4. */
  readonly codebaseId: string | null;
  readonly requiredCapabilities: readonly string[];
  readonly targetAgent: string | null;
  readonly targetWorkerId: string | null;
}

export interface Task extends RouteNeeds {
  readonly id: string;
  readonly title: string;
  readonly prompt: string;
  readonly status: TaskStatus;
  readonly agentType: string | null;
  readonly model: string | null;
  readonly priority: number;
  readonly workerId: string | null;
  readonly conversationId: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly deadlineAt: string | null;
  readonly attemptId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly lastSeq: number;
  /** When the last event of its log was written. */
  readonly lastEventAt: string;
  /** Number of the last event of its output; null: it has printed nothing. */
  readonly outputSeq: number | null;
  /** While it runs. */
  readonly leaseExpiresAt: string | null;
  /** Since when its agent has confirmed a pause, while it runs. */
  readonly pausedAt: string | null;
  readonly heldBack: boolean;
  readonly webhookUrl: string | null;
  readonly result: string | null;
  readonly error: TaskError | null;
  readonly usage: Usage | null;
  /** The size of its newest diff; null: it has none. */
  readonly changes: DiffSize | null;
  readonly retryOf: string | null;
  /** The task whose review it carries out. */
  readonly follows: string | null;
  readonly metadata: Record<string, unknown>;
  /** The step of a run that the task carries out; null: it belongs to no run. */
  readonly step: TaskStep | null;
  /** The trace of the call that created it; null: it was not traced. */
  readonly traceparent: string | null;
}

/** The task's codebase on the assigned worker's machine. */
export interface AssignedCodebase {
  readonly codebaseId: string;
  readonly path: string;
  readonly workspaceMode: WorkspaceMode;
}

/** An attempt that has begun: the task, its exchange so far, and the lease of its worker. */
export interface Assignment {
  readonly task: Task;
  readonly messages: readonly TaskMessage[];
  /** Interventions that no worker has acknowledged yet; their messages are in `messages` too. */
  readonly interventions: readonly SentIntervention[];
  /** The last checkpoint of an earlier attempt, in its agent's own form; null: there is none. */
  readonly checkpoint: { readonly data: unknown; readonly at: string } | null;
  /** Null: the task has no codebase that is bound to the worker. */
  readonly codebase: AssignedCodebase | null;
  readonly leaseToken: string;
  readonly leaseExpiresAt: string;
}
