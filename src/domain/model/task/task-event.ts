// The noun event: one entry of a task's durable log.
import type { InterventionAction } from '../intervention.ts';
import type { Part, TaskError, Usage } from './task.ts';
import type { TaskStatus } from './task-state.ts';

export interface StatusData {
  readonly status: TaskStatus;
  readonly final: boolean;
  readonly run_id?: string;
  readonly worker_id?: string;
  readonly attempt?: number;
  readonly reason?: string;
  readonly result?: string | null;
  readonly error?: TaskError | null;
  readonly usage?: Usage | null;
  readonly question?: string;
  /** Id of the question's message in the exchange. */
  readonly question_id?: string;
}

/** One chunk of an artifact, its content in exactly one of the four. */
export interface ArtifactData {
  readonly artifact_id: string;
  readonly name: string;
  readonly mime_type: string;
  readonly text?: string;
  readonly data?: unknown;
  readonly bytes?: string;
  readonly uri?: string;
  readonly append?: boolean;
  readonly last_chunk?: boolean;
}

export type OutputStream = 'stdout' | 'stderr' | 'agent';

export type TaskEventBody =
  | { readonly type: 'status'; readonly data: StatusData }
  | { readonly type: 'output'; readonly data: { readonly stream: OutputStream; readonly text: string } }
  | { readonly type: 'progress'; readonly data: { readonly percent?: number; readonly message?: string } }
  | {
      readonly type: 'message';
      readonly data: {
        readonly message_id: string;
        readonly role: 'user' | 'agent';
        readonly parts: readonly Part[];
        /** The subject that added it after the task was created; absent for an agent, and in logs of earlier versions. */
        readonly by?: string;
      };
    }
  | { readonly type: 'artifact'; readonly data: ArtifactData }
  | { readonly type: 'checkpoint'; readonly data: { readonly data: unknown } }
  | {
      readonly type: 'intervention';
      readonly data: {
        readonly intervention_id: string;
        readonly action: InterventionAction;
        readonly status: 'delivered' | 'failed';
        readonly reason?: string;
      };
    };

export type TaskEventType = TaskEventBody['type'];

/** `seq` counts from 1 without a gap within its task; `at` is ISO 8601 UTC by the database's clock. */
export type TaskEvent = TaskEventBody & { readonly seq: number; readonly at: string };

/** True for the event after which a task's stream ends. */
export function isFinal(event: TaskEvent): boolean {
  return event.type === 'status' && event.data.final;
}
