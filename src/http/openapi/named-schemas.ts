// Named wire schemas: the document defines each once under components/schemas and refers to it elsewhere.
import type { z } from 'zod';
import { auditEvent } from '../../contracts/audit.ts';
import { apiKey, me, signInSession, tenant, user } from '../../contracts/auth.ts';
import { automationTask } from '../../contracts/automation.ts';
import { codebase, session, sessionMessage } from '../../contracts/codebase.ts';
import { problem } from '../../contracts/common.ts';
import { delivery } from '../../contracts/delivery.ts';
import { artifact, artifactSummary, taskEvent } from '../../contracts/event.ts';
import { attentionItem } from '../../contracts/monitor/attention.ts';
import { thread } from '../../contracts/monitor/thread.ts';
import { streamFrameByType } from '../../contracts/monitor/stream.ts';
import { task, taskMessage } from '../../contracts/task.ts';
import { assignment, newArtifact, worker, workerEvent, workerTask } from '../../contracts/worker.ts';
import { jsonSchema } from '../pipeline/schema.ts';
import { toEmbeddedSchema } from './embedded-schema.ts';

type Json = Record<string, unknown>;

const wireSchemas: Readonly<Record<string, z.ZodType>> = {
  ApiKey: apiKey,
  Artifact: artifact,
  ArtifactSummary: artifactSummary,
  Assignment: assignment,
  AttentionItem: attentionItem,
  AuditEvent: auditEvent,
  AutomationTask: automationTask,
  Codebase: codebase,
  Delivery: delivery,
  Me: me,
  MonitorAttention: streamFrameByType.attention,
  MonitorMessage: streamFrameByType.message,
  MonitorRun: streamFrameByType.run,
  MonitorStatus: streamFrameByType.status,
  MonitorWorker: streamFrameByType.worker,
  NewArtifact: newArtifact,
  Problem: problem,
  Session: session,
  SessionMessage: sessionMessage,
  SignInSession: signInSession,
  Task: task,
  TaskEvent: taskEvent,
  TaskMessage: taskMessage,
  Tenant: tenant,
  Thread: thread,
  User: user,
  Worker: worker,
  WorkerEvent: workerEvent,
  WorkerTask: workerTask,
};

export class NamedSchemas {
  /** Keyed by the schema's JSON text: zod serializes equal shapes to equal text. */
  readonly #nameOf = new Map<string, string>();
  readonly components: Readonly<Record<string, Json>>;

  constructor() {
    const schemas = Object.entries(wireSchemas).map(
      ([name, shape]) => [name, toEmbeddedSchema(jsonSchema(shape))] as const,
    );
    for (const [name, schema] of schemas) this.#nameOf.set(JSON.stringify(schema), name);
    this.components = Object.fromEntries(schemas.map(([name, schema]) => [name, this.#referInMembers(schema)]));
  }

  /** The same schema with a reference in place of every named schema. */
  refer(schema: Json): Json {
    const name = this.#nameOf.get(JSON.stringify(schema));
    return name === undefined ? this.#referInMembers(schema) : { $ref: `#/components/schemas/${name}` };
  }

  #referInMembers(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#referInValue(value)]));
  }

  #referInValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#referInValue(item));
    return typeof value === 'object' && value !== null ? this.refer({ ...value }) : value;
  }
}
