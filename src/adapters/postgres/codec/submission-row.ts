// The row of a submit, as functions/tasks/queue-submit.sql takes it.
import type { PushTarget } from '../../../domain/model/delivery.ts';
import type { Submission } from '../../../domain/ports/store/queue.ts';
import type { SubmitMember } from './task-columns.ts';

/** The requirements that a task has of a worker, under the id of their route. */
export interface RouteRow {
  readonly route_id: string;
  readonly codebase_id?: string | undefined;
  readonly required_capabilities?: readonly string[] | undefined;
  readonly target_agent?: string | undefined;
  readonly target_worker_id?: string | undefined;
}

/** Nulls and defaults are left out: they are neither sent nor parsed. */
export type SubmitRow = RouteRow & { readonly id: string } & { readonly [M in SubmitMember]?: unknown };

export function submissionRow(submission: Submission): SubmitRow {
  const { draft, idempotency } = submission;
  return {
    id: submission.id,
    run_id: submission.attemptId,
    // A title equal to the prompt, and defaults, are not sent: the database parses each member.
    title: draft.title === draft.prompt ? undefined : draft.title,
    prompt: draft.prompt,
    priority: draft.priority === 0 ? undefined : draft.priority,
    route_id: submission.routeId,
    max_attempts: submission.maxAttempts,
    deadline_at: draft.deadlineAt ?? undefined,
    agent_type: draft.agentType ?? undefined,
    model: draft.model ?? undefined,
    codebase_id: draft.codebaseId ?? undefined,
    target_agent: draft.targetAgent ?? undefined,
    target_worker_id: draft.targetWorkerId ?? undefined,
    required_capabilities: draft.requiredCapabilities.length === 0 ? undefined : draft.requiredCapabilities,
    conversation_id: draft.conversationId ?? undefined,
    created_by: submission.createdBy,
    webhook_url: draft.webhookUrl ?? undefined,
    push: draft.push === undefined ? undefined : pushRow(draft.push),
    retry_of: draft.retryOf ?? undefined,
    follows: draft.follows ?? undefined,
    topic: draft.topic ?? undefined,
    step: draft.step ?? undefined,
    traceparent: submission.traceparent,
    metadata: filled(draft.metadata),
    message:
      draft.message === null
        ? undefined
        : {
            message_id: draft.message.messageId,
            parts: draft.message.parts,
            metadata: filled(draft.message.metadata),
          },
    idempotency:
      idempotency === undefined
        ? undefined
        : { operation: idempotency.operation, key: idempotency.key, body_hash: idempotency.bodyHash },
  } satisfies Record<SubmitMember, unknown>;
}

function filled(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

function pushRow({ configId, ...target }: PushTarget): Record<string, unknown> {
  return { config_id: configId, ...target };
}

/** Routes are in id order, so that two replicas lock them in the same order. */
export function distinctRoutes(rows: readonly SubmitRow[]): RouteRow[] {
  const routes = new Map<string, RouteRow>();
  for (const row of rows) if (!routes.has(row.route_id)) routes.set(row.route_id, toRouteRow(row));
  return [...routes.values()].toSorted((a, b) => (a.route_id < b.route_id ? -1 : 1));
}

function toRouteRow({
  route_id,
  codebase_id,
  required_capabilities,
  target_agent,
  target_worker_id,
}: RouteRow): RouteRow {
  return { route_id, codebase_id, required_capabilities, target_agent, target_worker_id };
}
