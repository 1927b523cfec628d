// The REST binding: the routes of each action as operation rows. Path and header select one of three adapters.
// a2a v0.3 §3.5.3, a2a v1.0 §11; core-4.3.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import {
  operation,
  type Answer,
  type Method,
  type Operation,
  type RequestView,
  type RpcFrame,
  type SseFrame,
} from '../../pipeline/operation.ts';
import { isObject, RpcError } from '../../wire/rpc-envelope.ts';
import type { SchemaCompiler } from '../../pipeline/schema.ts';
import { actionNames, actions, type ActionName } from '../protocol/actions.ts';
import type { VersionAdapter } from '../protocol/version-adapter.ts';
import { activatedHeaders } from '../protocol/extensions.ts';
import { restBasePath } from '../v0_3/params-to-v03.ts';
import { contentTypeFor, renderStreamError, type LogFailure, type RenderError } from './rest-errors.ts';
import { restErrorSchemas, restAnswerSchemas, type RestFormats } from './rest-schemas.ts';
import { buildRestParams } from './rest-params.ts';
import { findRequestedVersion } from '../protocol/requested-version.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface RestDeps {
  /** At `/a2a/rest`: `v03` without a version or with 0.3, `v10` with 1.0. */
  readonly v03: VersionAdapter;
  readonly v10: VersionAdapter;
  /** At `/a2a/rest/v1`. */
  readonly v03Proto: VersionAdapter;
  readonly schemas: SchemaCompiler;
  readonly renderError: RenderError;
  readonly log: LogFailure;
}

/** The routes of each action below a base. Tests request every one of them. */
export const restRoutes: readonly [ActionName, Method, string][] = [
  ['send', 'POST', '/message:send'],
  ['stream', 'POST', '/message:stream'],
  ['list', 'GET', '/tasks'],
  ['get', 'GET', '/tasks/:id'],
  ['cancel', 'POST', '/tasks/:id:cancel'],
  // The proto files say GET, the prose and the clients POST.
  ['subscribe', 'POST', '/tasks/:id:subscribe'],
  ['subscribe', 'GET', '/tasks/:id:subscribe'],
  ['push_set', 'POST', '/tasks/:id/pushNotificationConfigs'],
  ['push_list', 'GET', '/tasks/:id/pushNotificationConfigs'],
  ['push_get', 'GET', '/tasks/:id/pushNotificationConfigs/:config_id'],
  ['push_delete', 'DELETE', '/tasks/:id/pushNotificationConfigs/:config_id'],
  ['extended_card', 'GET', '/extendedAgentCard'],
  ['extended_card', 'GET', '/card'],
];

const protoRestBasePath = `${restBasePath}/v1`;

export function buildRestOperations(deps: RestDeps): Operation[] {
  const parsers = new Map([deps.v03, deps.v10, deps.v03Proto].map((adapter) => [adapter, buildParsers(adapter, deps)]));
  const parse = (
    adapter: VersionAdapter,
    name: ActionName,
    method: Method,
    params: unknown,
  ): Record<string, unknown> => {
    const parsed = parsers.get(adapter)?.[method === 'GET' ? 'text' : 'body'][name]?.(params);
    if (!isObject(parsed)) throw new Error(`no parser for ${name}`);
    return parsed;
  };
  const rowsAt = (
    base: string,
    formats: RestFormats,
    selectAdapter: (view: RequestView) => VersionAdapter,
  ): Operation[] =>
    restRoutes.map(([name, method, path]) => {
      const { permission, summary, description, createsTask = false } = actions[name];
      return operation({
        name: `a2a.${name}`,
        method,
        path: `${base}${path}`,
        summary,
        description,
        permission,
        names: 'task',
        createsTask,
        largeBody: name === 'send' || name === 'stream',
        params: pathParamsSchema(path),
        query: z.record(z.string(), z.unknown()),
        ...(method === 'POST' ? { body: z.record(z.string(), z.unknown()) } : {}),
        answers: restAnswerSchemas(name, formats),
        renderError: deps.renderError,
        errorSchemas: restErrorSchemas,
        run: async (caller, { params, query, body, context }) => {
          const adapter = selectAdapter(context.view);
          // Looser forms are accepted only without a version: a caller that names a version must follow it.
          const formPath = findRequestedVersion(context.view) === undefined ? base : `${base}#${adapter.version}`;
          const rawParams = buildRestParams(name, adapter.version, { ids: params, query, body });
          const received = {
            params: parse(adapter, name, method, adapter.normalise(name, rawParams, formPath)),
            context,
          };
          adapter.check(name, received.params);
          const answer = await adapter.answer(name, caller, received);
          const headers = { ...answer.headers, ...activatedHeaders(context.view) };
          if ('stream' in answer) {
            return { ...answer, stream: framesToSse(answer.stream, adapter.version, context.view, deps.log), headers };
          }
          return buildAnswer(name, adapter.version, context.view, answer.result, headers);
        },
      });
    });
  return [
    ...rowsAt(restBasePath, 'document and 1.0', (view) => (findRequestedVersion(view) === '1.0' ? deps.v10 : deps.v03)),
    ...rowsAt(protoRestBasePath, 'proto', (view) => {
      if (findRequestedVersion(view) !== '1.0') return deps.v03Proto;
      const message = `${protoRestBasePath} supports version 0.3 of the protocol only; use ${restBasePath} for 1.0.`;
      throw new RpcError(A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, message);
    }),
  ];
}

function pathParamsSchema(path: string): z.ZodType<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => name ?? '');
  const id = z.string().min(1).max(500);
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, id])));
}

type Parse = (value: unknown) => unknown;

/** Params from a query are text and are coerced to their types; params from a JSON body are validated as they are. */
function buildParsers(
  adapter: VersionAdapter,
  { schemas }: RestDeps,
): Record<'text' | 'body', Partial<Record<ActionName, Parse>>> {
  const each = (parserOf: (name: ActionName) => Parse): Partial<Record<ActionName, Parse>> =>
    Object.fromEntries(actionNames.map((name) => [name, parserOf(name)]));
  return {
    text: each((name) => schemas.text(adapter.params[name], 'params')),
    body: each((name) => schemas.large(adapter.params[name], '/params')),
  };
}

function buildAnswer(
  name: ActionName,
  version: WireVersion,
  view: RequestView,
  result: unknown,
  extraHeaders: Readonly<Record<string, string>>,
): Answer {
  const headers = { ...extraHeaders, ...contentTypeFor(version, view) };
  if (name !== 'push_delete') return { status: 200, body: result, headers };
  return version === '1.0' ? { status: 200, body: {}, headers } : { status: 204, body: null, headers: extraHeaders };
}

/** An error after the stream has begun is its last frame; the client resumes from the last id it received. */
async function* framesToSse(
  frames: AsyncIterable<RpcFrame>,
  version: WireVersion,
  view: RequestView,
  log: LogFailure,
): AsyncGenerator<SseFrame, void, undefined> {
  try {
    for await (const { id, result } of frames) yield { id, data: result };
  } catch (error) {
    yield { event: 'error', data: renderStreamError(version, error, view, log) };
  }
}
