// The nouns of a PRD chat: session, turn, version, question, operation. runs-13.
import type { ActingOwner } from '../access/acting-owner.ts';
import type { PrdFinding } from './prd.ts';

/** The capability that the tasks of turns ask for. */
export const prdCapability = 'switchyard:prd-1';

export interface PrdSession {
  /** Equal to its conversation id. */
  readonly id: string;
  readonly codebaseId: string | null;
  readonly title: string;
  readonly status: 'idle' | 'answering' | 'failed';
  /** 0 before the first draft. */
  readonly version: number;
  readonly ready: boolean;
  readonly runIds: readonly string[];
  readonly messages: number;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PrdQuestion {
  readonly id: string;
  readonly text: string;
  readonly options: readonly { readonly key: string; readonly text: string }[];
}

export interface PrdTurn {
  readonly n: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
  /** The task that answers; null for turns of people and of the interviewer. */
  readonly taskId: string | null;
  readonly questions: readonly PrdQuestion[];
  readonly status: 'answering' | 'answered' | 'failed';
  readonly source: 'user' | 'agent' | 'interview';
  /** The version that the turn saw. */
  readonly baseVersion: number;
  /** The version that it made; null: none. */
  readonly madeVersion: number | null;
  /** True: the task repairs an answer whose operations were invalid. */
  readonly isRepair: boolean;
  /** How the sender of the message acts, for a turn that a task answers; null: none does, or it is older. */
  readonly actsAs: ActingOwner | null;
  readonly warnings: readonly string[];
  readonly at: string;
}

/** A document as JSON, in camelCase, as it was given or edited. */
export type PrdDocument = Readonly<Record<string, unknown>>;

export interface PrdVersion {
  readonly version: number;
  readonly document: PrdDocument;
  readonly author: 'assistant' | 'user' | 'import';
  /** The turn that made it; null: no turn did. */
  readonly turn: number | null;
  readonly operations: readonly PrdOperation[];
  readonly warnings: readonly PrdFinding[];
  readonly at: string;
}

/** An edit of a document. What no operation names stays as it is. */
export type PrdOperation =
  | { readonly op: 'set'; readonly field: string; readonly value: unknown }
  | { readonly op: 'upsert_story'; readonly story: Readonly<Record<string, unknown>> }
  | { readonly op: 'remove_story'; readonly id: string }
  | { readonly op: 'order'; readonly ids: readonly string[] };
