// The REST binding, in its three dialects by path and header: each action's routes, as rows that go through the same
// hallway as all others. a2a v0.3 §3.5.3, a2a v1.0 §11; document 1 §4.3.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import {
  operation,
  type Answer,
  type Method,
  type Operation,
  type RequestWords,
  type RpcFrame,
  type SseFrame,
} from '../../pipeline/operation.ts';
import type { BrokenRequest } from '../../bindings/broken-request.ts';
import { brokenBody, errorBodyOf, isObject, rpcCodes, RpcError, type RpcErrorBody } from '../../wire/rpc-envelope.ts';
import type { Schemas } from '../../pipeline/schema.ts';
import { actionNames, actions, type ActionName } from '../protocol/actions.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { activatedHeaders } from '../protocol/extensions.ts';
import { documentDoor } from '../v0_3/legacy.ts';
import { restErrorIn } from '../protocol/refusals.ts';
import { refusalShapes, restAnswers, type Spoken } from './rest-answers.ts';
import { restParams } from './rest-params.ts';
import { versionIn } from '../protocol/asked-version.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface RestDeps {
  /** At `/a2a/rest`: the document's dialect without a version or with 0.3, v1.0 with 1.0. */
  readonly document: Dialect;
  readonly v10: Dialect;
  /** At `/a2a/rest/v1`. */
  readonly proto: Dialect;
  readonly schemas: Schemas;
  readonly refuse: Refuse;
  readonly log: Log;
}

export type Refuse = NonNullable<Operation['refuse']>;
type Log = (line: string, details: BrokenRequest) => void;

/** Each action's routes below a base; tests ask them all. */
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

const protoDoor = `${documentDoor}/v1`;

export function restOperations(deps: RestDeps): Operation[] {
  const parsers = new Map([deps.document, deps.v10, deps.proto].map((dialect) => [dialect, parsersOf(dialect, deps)]));
  const parse = (dialect: Dialect, name: ActionName, method: Method, params: unknown): Record<string, unknown> => {
    const parsed = parsers.get(dialect)?.[method === 'GET' ? 'text' : 'body'][name]?.(params);
    if (!isObject(parsed)) throw new Error(`no parser for ${name}`);
    return parsed;
  };
  const rowsAt = (base: string, spoken: Spoken, dialectOf: (words: RequestWords) => Dialect): Operation[] =>
    restRoutes.map(([name, method, path]) => {
      const { permission, summary, createsTask = false } = actions[name];
      return operation({
        name: `a2a.${name}`,
        method,
        path: `${base}${path}`,
        summary,
        permission,
        names: 'task',
        createsTask,
        largeBody: name === 'send' || name === 'stream',
        params: paramsOf(path),
        query: z.record(z.string(), z.unknown()),
        ...(method === 'POST' ? { body: z.record(z.string(), z.unknown()) } : {}),
        answers: restAnswers(name, spoken),
        refuse: deps.refuse,
        refusals: refusalShapes,
        run: async (caller, { params, query, body, facts }) => {
          const dialect = dialectOf(facts.words);
          // Who names a version is held to it: the door that takes looser forms is the one without.
          const door = versionIn(facts.words) === undefined ? base : `${base}#${dialect.version}`;
          const given = restParams(name, dialect.version, { ids: params, query, body });
          const asked = { params: parse(dialect, name, method, dialect.normalise(name, given, door)), facts };
          dialect.check(name, asked.params);
          const answer = await dialect.answer(name, caller, asked);
          const headers = { ...answer.headers, ...activatedHeaders(facts.words) };
          if ('stream' in answer) {
            return { ...answer, stream: framesOf(answer.stream, dialect.version, facts.words, deps.log), headers };
          }
          return answered(name, dialect.version, facts.words, answer.result, headers);
        },
      });
    });
  return [
    ...rowsAt(documentDoor, 'document and 1.0', (words) => (versionIn(words) === '1.0' ? deps.v10 : deps.document)),
    ...rowsAt(protoDoor, 'proto', (words) => {
      if (versionIn(words) !== '1.0') return deps.proto;
      const message = `Under ${protoDoor} this service speaks version 0.3 of the protocol; 1.0 is at ${documentDoor}.`;
      throw new RpcError(A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, message);
    }),
  ];
}

function paramsOf(path: string): z.ZodType<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => name ?? '');
  const id = z.string().min(1).max(500);
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, id])));
}

type Parse = (value: unknown) => unknown;

/** What comes as text is read as what it says; what comes as JSON is what it is. */
function parsersOf(
  dialect: Dialect,
  { schemas }: RestDeps,
): Record<'text' | 'body', Partial<Record<ActionName, Parse>>> {
  const each = (parserOf: (name: ActionName) => Parse): Partial<Record<ActionName, Parse>> =>
    Object.fromEntries(actionNames.map((name) => [name, parserOf(name)]));
  return {
    text: each((name) => schemas.text(dialect.params[name], 'params')),
    body: each((name) => schemas.large(dialect.params[name], '/params')),
  };
}

function answered(
  name: ActionName,
  version: WireVersion,
  words: RequestWords,
  result: unknown,
  given: Readonly<Record<string, string>>,
): Answer {
  const headers = { ...given, ...typeFor(version, words) };
  if (name !== 'push_delete') return { status: 200, body: result, headers };
  return version === '1.0' ? { status: 200, body: {}, headers } : { status: 204, body: null, headers: given };
}

/** v1.0’s own type of JSON, for who asks for it. a2a v1.0 §11. */
function typeFor(version: WireVersion, words: RequestWords): Readonly<Record<string, string>> {
  const own = version === '1.0' && /\bapplication\/a2a\+json\b/.test(words.header('accept') ?? '');
  return own ? { 'content-type': 'application/a2a+json' } : {};
}

/** What breaks a stream that has begun is its last frame; the client goes on from the last id it saw. */
async function* framesOf(
  frames: AsyncIterable<RpcFrame>,
  version: WireVersion,
  words: RequestWords,
  log: Log,
): AsyncGenerator<SseFrame, void, undefined> {
  try {
    for await (const { id, result } of frames) yield { ...(id === undefined ? {} : { id }), data: result };
  } catch (error) {
    yield { event: 'error', data: restErrorIn(version, breakOf(error, words, log)).body };
  }
}

function breakOf(error: unknown, { requestId }: RequestWords, log: Log): RpcErrorBody {
  if (error instanceof DomainError && error.kind !== 'internal') {
    return { code: rpcCodes.internal, message: error.message };
  }
  const said = errorBodyOf(error);
  if (typeof said === 'object') return said;
  log('a request failed', { request_id: requestId, error });
  return brokenBody(requestId);
}

/** The protocol's own error bodies; a version that is not spoken is told so in the words of the newer one. */
export function restRefusals(log: Log): Refuse {
  return (error, words) => {
    const said = missing(error) ?? errorBodyOf(error);
    if (said === 'http') return undefined;
    if (said === 'broken') log('a request failed', { request_id: words.requestId, error });
    const version = styleOf(words);
    const refusal = restErrorIn(version, said === 'broken' ? brokenBody(words.requestId) : said);
    return { ...refusal, headers: typeFor(version, words) };
  };
}

const missingCodes: Readonly<Record<string, number>> = {
  // An id in a path that can be none: the verbs, which would have said so, were not asked.
  task_not_found: A2A_ERROR_CODE.TASK_NOT_FOUND,
  no_such_route: A2A_ERROR_CODE.METHOD_NOT_FOUND,
};

function missing(error: unknown): RpcErrorBody | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const code = missingCodes[error.code];
  return code === undefined ? undefined : { code, message: error.message };
}

function styleOf(words: RequestWords): WireVersion {
  try {
    return versionIn(words) ?? '0.3';
  } catch {
    // Whatever else is wrong: the version is what it will be told of.
    return '1.0';
  }
}
