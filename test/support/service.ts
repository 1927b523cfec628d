// The whole service in one process, on a database of its own, for tests: every answer is held against its schema.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService, type Service } from '../../src/server/build/build.ts';
import type { ServiceConfig } from '../../src/server/config/service-config.ts';
import type { Role } from '../../src/domain/model/access/permission.ts';
import type { AssignmentWire, Register, Registered } from '../../src/contracts/worker.ts';
import { problem } from '../../src/contracts/common.ts';
import type { TaskWire } from '../../src/contracts/task.ts';
import { SchemaCompiler } from '../../src/http/pipeline/schema.ts';
import { serviceConfig } from './service-config.ts';
import { cloneDatabase, type TestDatabase } from './database/database.ts';

/** `<role>` of tenant `default`, `other` is operator of tenant `other`, `otheradmin` its admin. */
export type TestUser = Role | 'editor2' | 'other' | 'otheradmin';

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  // The body of any operation: tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly as?: TestUser | undefined;
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Lets go of a stream of events once it has begun: its status and headers are all there is to look at. */
  readonly headersOnly?: true;
}

export interface TestService extends AsyncDisposable {
  readonly url: string;
  /** Address of the port of the tool protocol. */
  readonly toolUrl: string;
  readonly instance: Service;
  readonly config: ServiceConfig;
  readonly db: TestDatabase;
  token(who: TestUser): string;
  call(method: string, path: string, options?: CallOptions): Promise<ApiReply>;
  /** Registers a worker by hand (as `agent`), holding `global` by default. */
  worker(profile?: Partial<Register>, as?: TestUser): Promise<ManualWorker>;
  task(fields?: Record<string, unknown>, as?: TestUser): Promise<TaskWire>;
  /** Stops the service and starts it anew on the same database and port. */
  restart(): Promise<void>;
}

/** A worker that a test plays itself. */
export interface ManualWorker {
  readonly id: string;
  readonly registered: Registered;
  claim(limit?: number, taskId?: string): Promise<AssignmentWire[]>;
  report(assignment: AssignmentWire, events: unknown[]): Promise<ApiReply>;
  release(assignment: AssignmentWire, release: Record<string, unknown>): Promise<ApiReply>;
  heartbeat(running: AssignmentWire[], slotsFree?: number): Promise<ApiReply>;
}

export interface TestServiceOptions {
  readonly config?: Partial<ServiceConfig>;
  /** A database to share with another service: a second replica. */
  readonly db?: TestDatabase;
  /** Connections of the service's pool. */
  readonly poolSize?: number;
  /** Its own clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a message of a PRD chat waits for its answer. */
  readonly prdAnswerWaitMs?: number;
  /** A folder of built pages in place of the repository's own. */
  readonly pagesFolder?: string;
  /** Gets every line that the service logs, with its details. */
  readonly log?: (line: string, details: unknown) => void;
}

const testUsers = ['admin', 'operator', 'editor', 'viewer', 'agent', 'editor2', 'other', 'otheradmin'] as const;
const roleOf: Record<TestUser, Role> = {
  admin: 'admin',
  operator: 'operator',
  editor: 'editor',
  viewer: 'viewer',
  agent: 'agent',
  editor2: 'editor',
  other: 'operator',
  otheradmin: 'admin',
};

/** In a folder of its own, which is made when the audit is opened, and is its user's to remove. */
export function testConfig(overrides: Partial<ServiceConfig> = {}): ServiceConfig {
  const dataDir = overrides.dataDir ?? join(tmpdir(), `switchyard-test-${randomUUID()}`);
  const tokens = testUsers.map((name) => ({
    name,
    token: `token-of-the-${name}`,
    role: roleOf[name],
    tenantId: name.startsWith('other') ? 'other' : 'default',
    credential: 'shared_token' as const,
  }));
  return { ...serviceConfig(dataDir), tokens, ...overrides };
}

export async function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const db = options.db ?? (await cloneDatabase());
  let config = testConfig(options.config);
  let service = await start();
  const url = await service.app.listen({ port: config.port, host: config.host });
  const toolUrl = await service.toolApp.listen({ port: config.mcpPort, host: config.host });
  config = { ...config, port: Number(new URL(url).port), mcpPort: Number(new URL(toolUrl).port) };

  const call: TestService['call'] = async (method, path, call_ = {}) => {
    const { as = 'admin', body, raw, headers = {}, signal } = call_;
    const token = call_.token === undefined ? `token-of-the-${as}` : call_.token;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: typeof payload === 'string' ? payload : Buffer.from(payload) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const type = response.headers.get('content-type') ?? '';
    if (call_.headersOnly === true && type.includes('event-stream')) {
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, body: undefined };
    }
    const text = await response.text();
    const json = type.includes('json') && text !== '';
    // Refusals are held against their shape here, as answers are in `checkResponse`.
    if (json && type.includes('problem+json')) problem.parse(JSON.parse(text));
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };

  return {
    url,
    toolUrl,
    get instance() {
      return service;
    },
    config,
    db,
    token: (who) => `token-of-the-${who}`,
    call,
    worker: (profile, as) => registerManualWorker(call, profile, as),
    async task(fields = {}, as = 'editor') {
      const body = { title: 'a task', prompt: 'do it', codebase_id: 'global', ...fields };
      const reply = await call('POST', '/v1/agent/tasks', { as, body });
      if (reply.status !== 201) throw new Error(`no task: ${JSON.stringify(reply.body)}`);
      return reply.body.task;
    },
    async restart() {
      await service[Symbol.asyncDispose]();
      service = await start();
      await service.app.listen({ port: config.port, host: config.host });
      await service.toolApp.listen({ port: config.mcpPort, host: config.host });
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(config.dataDir, { recursive: true, force: true });
      if (options.db === undefined) await db[Symbol.asyncDispose]();
    },
  };

  function start(): Promise<Service> {
    const log = (line: string, details?: unknown): void => {
      options.log?.(line, details);
      if (process.env['HOUSE_LOG'] !== undefined) process.stderr.write(`${line} ${inspectDetails(details)}\n`);
    };
    const { poolSize, prdAnswerWaitMs, pagesFolder, now = Date.now } = options;
    const pool = poolSize === undefined ? {} : { poolSize };
    const serviceOptions = { config, address: db.service, version: '1.2.0', now, log, checkResponse: answerChecker() };
    const wait = prdAnswerWaitMs === undefined ? {} : { prdAnswerWaitMs };
    const pages = pagesFolder === undefined ? {} : { pagesFolder };
    return buildService({ ...serviceOptions, ...pool, ...wait, ...pages });
  }
}

function inspectDetails(details: unknown): string {
  return details instanceof Error ? (details.stack ?? details.message) : JSON.stringify(details ?? '');
}

/** Holds each answer against the schema that its operation publishes. */
function answerChecker(): NonNullable<Parameters<typeof buildService>[0]['checkResponse']> {
  const schemas = new SchemaCompiler();
  const parsers = new Map<string, (value: unknown) => unknown>();
  return (operation, status, body) => {
    const schema = operation.answers[status];
    if (schema === undefined) throw new Error(`${operation.name} answered ${status}, which it does not publish`);
    const key = `${operation.name} ${operation.method} ${operation.path} ${status}`;
    const parse = parsers.get(key) ?? schemas.body(schema);
    parsers.set(key, parse);
    parse(structuredClone(body));
  };
}

async function registerManualWorker(
  call: TestService['call'],
  profile: Partial<Register> = {},
  as: TestUser = 'agent',
): Promise<ManualWorker> {
  const body = {
    name: 'hand',
    slots: 4,
    codebases: [{ codebase_id: 'global', name: 'global', path: '/nowhere' }],
    ...profile,
  };
  const reply = await call('POST', '/v1/agent/workers/register', { as, body });
  if (reply.status !== 200) throw new Error(`not registered: ${JSON.stringify(reply.body)}`);
  const registered: Registered = reply.body;
  const id = registered.worker.worker_id;
  return {
    id,
    registered,
    async claim(limit = 1, taskId) {
      const claim = { worker_id: id, limit, ...(taskId === undefined ? {} : { task_id: taskId }) };
      const claimed = await call('POST', '/v1/worker/tasks/claim', { as, body: claim });
      if (claimed.status !== 200) throw new Error(`not claimed: ${JSON.stringify(claimed.body)}`);
      return claimed.body.tasks;
    },
    report: (assignment, events) =>
      call('POST', `/v1/worker/tasks/${assignment.task.id}/events`, {
        as,
        body: { lease_token: assignment.lease_token, events },
      }),
    release: (assignment, release) =>
      call('POST', `/v1/worker/tasks/${assignment.task.id}/release`, {
        as,
        body: { lease_token: assignment.lease_token, ...release },
      }),
    heartbeat: (running, slotsFree) =>
      call('POST', `/v1/agent/workers/${id}/heartbeat`, {
        as,
        body: {
          running: running.map((held) => ({ task_id: held.task.id, lease_token: held.lease_token })),
          ...(slotsFree === undefined ? {} : { slots_free: slotsFree }),
        },
      }),
  };
}
