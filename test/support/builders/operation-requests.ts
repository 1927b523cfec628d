// A request to every operation of the service, REST and RPC, with its caller's own ids in every slot for one.
import { randomUUID } from 'node:crypto';
import type { Service } from '../../../src/server/build/build.ts';
import type { KnownTool } from '../../../src/http/mcp/tools/tool.ts';
import type { Operation, RpcOperation } from '../../../src/http/pipeline/operation.ts';
import { jsonSchema } from '../../../src/http/pipeline/schema.ts';
import { asRecord, buildSample, type Known, type SampleSlot, withAt } from './operation-samples.ts';
import { prdDocument } from '../runs/new-run.ts';
import type { TenantRecords, Kind } from './tenant-records.ts';

/** Path parameters stand in `params`, by the names that `path` has for them. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Target {
  readonly what: string;
  readonly requestOf: (own: TenantRecords) => Request;
  /** The test that probes it; undefined: all. */
  readonly only?: keyof Request;
}

/** The id for `:id`, by what the operation's path names. */
const nouns: Readonly<Record<string, Kind>> = {
  task: 'task',
  worker: 'worker',
  codebase: 'codebase',
  session: 'codebase',
  api_key: 'apiKey',
  sign_in_session: 'signInSession',
  user: 'user',
  intervention: 'intervention',
  tool: 'tool',
  run: 'run',
  prd_session: 'prdSession',
  attention_item: 'delivery',
  cronjob: 'cronjob',
  funnel: 'funnel',
  person: 'person',
  okr: 'okr',
};

/** Fields by their names, wherever they stand. */
const slots: Readonly<Record<string, Kind>> = {
  sid: 'session',
  session_id: 'session',
  artifact_id: 'artifact',
  delivery_id: 'delivery',
  config_id: 'pushConfig',
  pushNotificationConfigId: 'pushConfig',
  task_id: 'task',
  taskId: 'task',
  worker_id: 'worker',
  target_worker_id: 'worker',
  codebase_id: 'codebase',
  lease_token: 'lease',
  conversation_id: 'conversation',
  contextId: 'conversation',
  user_id: 'user',
  key_id: 'apiKey',
  tool_id: 'tool',
  run_id: 'run',
  key_result_id: 'keyResult',
  question_id: 'question',
  funnel_id: 'funnel',
  anonymous_id: 'visitor',
};

/** Never resolved: nothing is sent anywhere. */
const hook = 'https://hooks.invalid/y';
/** Facts that a schema cannot express. */
const fillings: Known = {
  url: hook,
  artifacts: [],
  wait_seconds: 0,
  version: '1.0.0',
  sha256_hash: 'ab'.repeat(32),
  story_id: 'US-001',
  n: 1,
  prd: prdDocument(),
  gates: [],
  copy: [],
  cron: '@yearly',
  timezone: 'UTC',
  webhook_url: hook,
};

function knownOf(own: TenantRecords, id: Kind): Known {
  const named = Object.entries(slots).map(([name, kind]) => [name, own[kind]]);
  return { ...Object.fromEntries(named), id: own[id], ...fillings };
}

/** @throws when a path has a parameter that this file does not know: teach it, so that it is tried */
function idKindOf({ name, path, names }: Operation): Kind {
  if (path.startsWith('/v1/auth/tenants/:id')) return 'tenant';
  // The task that ended, with its event.
  if (path.includes('/deliveries') && names === 'task') return 'requestedBefore';
  for (const [, parameter = ''] of path.matchAll(/\/:(\w+)/g)) {
    const isKnown =
      parameter === 'id' ? names !== undefined && names in nouns : parameter in slots || parameter in fillings;
    if (!isKnown) throw new Error(`${name}: no value is known for :${parameter} of ${path}`);
  }
  return nouns[names ?? ''] ?? 'task';
}

/** Every operation that is mounted, in every version, with and without optional members. */
export function targetsOf({ operations, rpcOperations, mcp }: Service): Target[] {
  return [
    ...operations.filter(({ path }) => !path.startsWith('/a2a/rest')).flatMap(groupTargets),
    ...operations.filter(({ path }) => path.startsWith('/a2a/rest')).flatMap(a2aTargets),
    ...rpcOperations.flatMap(rpcTargets),
    ...mcp.tools.flatMap(toolTargets),
  ];
}

/** Names that mean another thing within what an operation's path names. */
function knownWithin(names: string | undefined, own: TenantRecords): Known {
  if (names === 'run') return { delivery_id: own.runDelivery };
  if (names === 'person') return { user_id: own.person };
  if (names === 'okr') return { run_id: own.okrRun };
  return names === 'prd_session' ? { version: 1 } : {};
}

/** Fields that a body needs although no schema says so: one of two, or one of many. */
const wordsFor: Readonly<Record<string, Known>> = {
  'tasks.follow_up': { message: 'Go on.' },
  'tasks.input': { message: 'Yes.' },
  'tasks.update': { priority: 5 },
  // The first change makes another version; a conversation in the template would get a task with each trigger.
  'cronjobs.update': { version: undefined, name: 'another', task_template: { prompt: 'text' } },
  'okr.update': { version: undefined, tags: ['one'] },
  'okr.change_key_result': { progress: 10 },
  'monitor.export_json': { what: 'tasks' },
  'monitor.export_csv': { what: 'tasks' },
  // Its second call would find other states than its first.
  'tasks.bulk': { dry_run: true },
};

function groupTargets(operation: Operation): Target[] {
  const id = idKindOf(operation);
  const plain = (own: TenantRecords): Request => {
    const words = wordsFor[operation.name] ?? {};
    const sample = buildSample(operation, { ...knownOf(own, id), ...knownWithin(operation.names, own), ...words });
    return { method: operation.method, path: operation.path, headers: {}, ...sample };
  };
  const what = `${operation.name} ${operation.method} ${operation.path}`;
  // It takes one of two names, which no schema says.
  if (operation.name === 'monitor.intervene') {
    const by = (body: (own: TenantRecords) => unknown): Target['requestOf'] => {
      return (own) => ({ ...plain(own), body: body(own) });
    };
    return [
      { what: `${what}, by task`, requestOf: by((own) => ({ task_id: own.task, action: 'pause' })) },
      { what: `${what}, by agent`, requestOf: by((own) => ({ agent_id: own.worker, action: 'pause' })) },
    ];
  }
  const targets: Target[] = [{ what, requestOf: plain }];
  // Each message of a PRD chat continues it, so that no two answers are alike.
  if (operation.createsTask === true && operation.name !== 'prd.message') {
    const requestOf = (own: TenantRecords): Request => ({
      ...plain(own),
      headers: { 'idempotency-key': own.idempotencyKey },
    });
    targets.push({ what: `${what}, idempotent`, requestOf, only: 'headers' });
  }
  return targets;
}

/** A new message and one to a task, in the words of a version. */
function messagesOf(own: TenantRecords, version: '0.3' | '1.0'): unknown[] {
  const [role, part] = version === '1.0' ? ['ROLE_USER', { text: 'hello' }] : ['user', { kind: 'text', text: 'hello' }];
  const message = { ...(version === '1.0' ? {} : { kind: 'message' }), messageId: randomUUID(), role, parts: [part] };
  const configuration = version === '1.0' ? { returnImmediately: true } : { blocking: false };
  const metadata = { codebase_id: own.codebase, target_worker_id: own.worker };
  return [
    { message: { ...message, contextId: own.conversation, metadata }, configuration },
    { message, metadata, configuration },
    { message: { ...message, taskId: own.task }, configuration },
    { message: { ...message, referenceTaskIds: [own.requestedBefore] }, configuration },
  ];
}

function a2aTargets(operation: Operation): Target[] {
  const { name, method, path } = operation;
  idKindOf(operation);
  const isDocument = !path.startsWith('/a2a/rest/v1');
  const versions = isDocument ? (['0.3', '1.0'] as const) : (['0.3'] as const);
  return versions.flatMap((version) => {
    const headers: Record<string, string> = isDocument ? { 'a2a-version': version } : {};
    const make =
      (bodyOf: (own: TenantRecords) => unknown, queryOf: (own: TenantRecords) => Record<string, unknown>) =>
      (own: TenantRecords): Request => ({
        method,
        path,
        headers,
        params: { id: own.task, config_id: own.pushConfig },
        query: queryOf(own),
        body: bodyOf(own),
      });
    const what = `${name} ${method} ${path} ${version}`;
    const nothing = (): Record<string, unknown> => ({});
    if (name === 'a2a.send' || name === 'a2a.stream') {
      return [0, 1, 2, 3].map((n) => ({
        what: `${what} ${n}`,
        requestOf: make((own) => messagesOf(own, version)[n], nothing),
      }));
    }
    if (name === 'a2a.push_set') {
      const config = (own: TenantRecords): unknown => {
        const inner = { id: own.pushConfig, url: hook };
        return version === '1.0' ? inner : { config: { push_notification_config: inner } };
      };
      return [{ what, requestOf: make(config, nothing) }];
    }
    const body = method === 'POST' ? (): unknown => ({}) : (): unknown => undefined;
    const context = (own: TenantRecords): Record<string, unknown> => ({ contextId: own.conversation });
    return [{ what, requestOf: make(body, name === 'a2a.list' ? context : nothing) }];
  });
}

function rpcTargets(operation: RpcOperation): Target[] {
  const { method, params } = operation;
  const version = /^[A-Z]/.test(method) ? '1.0' : '0.3';
  const request = (requestBody: unknown): Request => ({
    method: 'POST',
    path: '/a2a/jsonrpc',
    params: {},
    query: {},
    headers: {},
    body: { jsonrpc: '2.0', id: 1, method, params: requestBody },
  });
  if (operation.name === 'a2a.send' || operation.name === 'a2a.stream') {
    return [0, 1, 2, 3].map((n) => ({
      what: `${method} ${n}`,
      requestOf: (own) => request(messagesOf(own, version)[n]),
    }));
  }
  // v1.0's methods for configs name the task as taskId, and the config as id.
  const id: Kind = version === '1.0' && /PushNotificationConfigs?$/.test(method) ? 'pushConfig' : 'task';
  const requestOf = (own: TenantRecords): Request => {
    const body = leastOf(params, knownOf(own, id));
    return request(
      method === 'tasks/pushNotificationConfig/set'
        ? { taskId: own.task, pushNotificationConfig: { id: own.pushConfig, url: hook } }
        : body,
    );
  };
  return [{ what: method, requestOf }];
}

/** A tool with all the arguments that name something, over plain JSON-RPC and over HTTP. */
function toolTargets({ tool: { name, input, createsTask = false } }: KnownTool): Target[] {
  // A conversation that a caller names becomes a PRD chat of its own, and is in its lists from then on.
  const leftOut = name === 'prd_chat' ? ['conversation_id'] : [];
  const argumentsOf = (own: TenantRecords): Record<string, unknown> => {
    const all = asRecord(leastOf(input, knownOf(own, 'task')));
    return Object.fromEntries(Object.entries(all).filter(([field]) => !leftOut.includes(field)));
  };
  const post = (path: string, body: unknown, headers = {}): Request => {
    return { method: 'POST', path, params: {}, query: {}, headers, body };
  };
  const rpc = (args: Record<string, unknown>, headers = {}): Request => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    return post('/mcp/v1/rpc', body, headers);
  };
  const targets: Target[] = [
    { what: `tool ${name}`, requestOf: (own) => rpc(argumentsOf(own)) },
    {
      what: `tool ${name} over HTTP`,
      requestOf: (own) => post('/mcp/tools/call', { name, arguments: argumentsOf(own) }),
    },
  ];
  if (takesCodebase(input)) {
    const requestOf = (own: TenantRecords): Request => {
      const { codebase_id: header, ...args } = argumentsOf(own);
      return rpc(args, { 'x-codebase-id': header });
    };
    targets.push({ what: `tool ${name}, its codebase in a header`, requestOf, only: 'headers' });
  }
  if (name === 'send_message') {
    // The conversation of a run that asks: one of its options would answer it.
    const requestOf = (own: TenantRecords): Request => rpc({ message: 'cancel', conversation_id: own.runConversation });
    targets.push({ what: 'tool send_message to a run', requestOf });
  }
  // Each message of a PRD chat continues it, so that no two answers are alike.
  if (createsTask && name !== 'prd_chat') {
    const requestOf = (own: TenantRecords): Request => rpc(argumentsOf(own), { 'idempotency-key': own.idempotencyKey });
    targets.push({ what: `tool ${name}, idempotent`, requestOf, only: 'headers' });
  }
  return targets;
}

function takesCodebase(input: KnownTool['tool']['input']): boolean {
  const { properties, required = [] } = jsonSchema(input);
  return 'codebase_id' in asRecord(properties) && Array.isArray(required) && !required.includes('codebase_id');
}

/** The form of a REST row is what the samples are made from. */
function leastOf(body: NonNullable<Operation['body']>, known: Known): unknown {
  const spec = { name: '', permission: 'any_credential', changes: false } as const;
  const row = { ...spec, method: 'POST', path: '', summary: '', answers: {} } as const;
  return buildSample({ ...row, body, run: () => Promise.reject(new Error('never run')) }, known).body;
}

/** The place in a request of one of its caller's ids, and that id. */
export function findIdSlots(request: Request, own: TenantRecords): { place: SampleSlot; kind: Kind }[] {
  const kinds = new Map(Object.entries(own).map(([kind, id]) => [id, kind as Kind]));
  const walk = (value: unknown, at: SampleSlot): { place: SampleSlot; kind: Kind }[] => {
    if (Array.isArray(value)) return value.flatMap((item, i) => walk(item, [...at, i]));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, child]) => walk(child, [...at, key]));
    const kind = typeof value === 'string' ? kinds.get(value) : undefined;
    return kind === undefined ? [] : [{ place: at, kind }];
  };
  // Parameters that the path does not have are not sent.
  const params = Object.fromEntries(
    Object.entries(request.params).filter(([name]) => request.path.includes(`:${name}`)),
  );
  return walk({ ...request, params }, []);
}

export function putAt(request: Request, place: SampleSlot, id: string): Request {
  return withAt(request, place, id) as Request;
}

export function urlOf({ path, params, query }: Request): string {
  const filled = path.replaceAll(/\/:(\w+)/g, (_, name: string) => `/${encodeURIComponent(String(params[name]))}`);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
