// The OpenAPI 3.1 document of all REST operations, built from their tables.
import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { Operation } from '../pipeline/operation.ts';
import { jsonSchema } from '../pipeline/schema.ts';
import { errorResponseComponents, errorStatusesOf, textHeader } from './error-responses.ts';
import { buildExample } from './example.ts';
import { NamedSchemas } from './named-schemas.ts';
import { toEmbeddedSchema } from './embedded-schema.ts';

type Json = Record<string, unknown>;

export interface DocumentOptions {
  readonly version: string;
  /** The public address. */
  readonly base: string;
}

/** Response headers of rate-limited operations. core-8. */
const rateLimitHeaders = {
  'X-RateLimit-Limit': textHeader('Calls per minute allowed for this credential.'),
  'X-RateLimit-Remaining': textHeader('Calls left in this minute.'),
  'X-RateLimit-Reset': textHeader('Time at which the minute ends, in Unix seconds.'),
};

export function buildOpenApiDocument(operations: readonly Operation[], options: DocumentOptions): Json {
  const paths: Record<string, Json> = {};
  const named = new NamedSchemas();
  const timesNamed = new Map<string, number>();
  for (const row of operations) {
    const path = row.path.replaceAll(/\/:(\w+)/g, '/{$1}');
    const times = (timesNamed.get(row.name) ?? 0) + 1;
    timesNamed.set(row.name, times);
    // An operation may have several paths; the document needs a distinct id for each.
    const id = times === 1 ? row.name : `${row.name}_${times}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: buildOperation(row, id, named) };
  }
  const tags = [...new Set(operations.map(tagOf))].toSorted().map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchyard',
      version: options.version,
      description:
        'A coordination server and durable task queue for AI agents. Every call except GET /health needs a bearer token. Errors are RFC 9457 problems, except in the A2A binding, whose protocol defines its own.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.base }],
    security: [{ bearer: [] }],
    tags,
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: named.components,
      responses: errorResponseComponents(),
    },
  };
}

export function tagOf(row: Pick<Operation, 'name'>): string {
  return row.name.split('.', 1)[0] ?? '';
}

export function permissionTextOf({
  permission,
  alsoRequires,
  personOnly,
}: Pick<Operation, 'permission' | 'alsoRequires' | 'personOnly'>): string {
  if (permission === 'any_credential') return 'any valid credential';
  const text = typeof permission === 'string' ? permission : permission.anyOf.join(' or ');
  const all = alsoRequires === undefined ? text : `${text} and ${alsoRequires}`;
  return personOnly === true ? `${all}, and a person as the caller` : all;
}

function buildOperation(row: Operation, operationId: string, named: NamedSchemas): Json {
  return {
    operationId,
    tags: [tagOf(row)],
    summary: row.summary,
    description: `${row.description === undefined ? '' : `${row.description} `}Needs ${permissionTextOf(row)}.`,
    parameters: [
      ...buildParameters(row.params, 'path'),
      ...buildParameters(row.query, 'query'),
      ...(row.createsTask === true ? [idempotencyHeader] : []),
    ],
    requestBody: row.rawBody === true ? bytesBody : buildRequestBody(row.body, named),
    responses: buildResponses(row, named),
  };
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeating a request with the same key creates no second task: the first answer is returned again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function buildParameters(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = toEmbeddedSchema(jsonSchema(schema));
  const names = Array.isArray(required) ? required : [];
  return Object.entries(objectIn(properties)).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || names.includes(name) || undefined,
    schema: shape,
  }));
}

function buildRequestBody(schema: z.ZodType | undefined, named: NamedSchemas): Json | undefined {
  if (schema === undefined) return undefined;
  const shape = toEmbeddedSchema(jsonSchema(schema));
  const needsNothing = !Array.isArray(shape['required']) || shape['required'].length === 0;
  return {
    required: !(shape['type'] === 'object' && needsNothing),
    content: { 'application/json': { schema: named.refer(shape), example: buildExample(shape) } },
  };
}

const bytesBody = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};

function buildResponses(row: Operation, named: NamedSchemas): Json {
  const headers = {
    ...(row.rateLimited === true ? rateLimitHeaders : {}),
    ...(row.createsTask === true
      ? { 'Idempotency-Replayed': textHeader('true when the task was created by an earlier request.') }
      : {}),
  };
  const answers = Object.entries(row.answers).map(([status, schema]) => {
    const shape = toEmbeddedSchema(jsonSchema(schema));
    const content = {
      [row.mediaType ?? 'application/json']: { schema: named.refer(shape), example: buildExample(shape) },
    };
    return [status, { description: row.summary, headers, content }];
  });
  const errors = errorStatusesOf(row).map((status) => [
    String(status),
    protocolErrorResponse(row, status, named) ?? { $ref: `#/components/responses/refused${status}` },
  ]);
  const streamed = { description: row.summary, content: { 'text/event-stream': { schema: { type: 'string' } } } };
  return Object.fromEntries([...(answers.length > 0 ? answers : [['200', streamed]]), ...errors]);
}

/** The error response of a protocol with an error format of its own; undefined where the problem body applies. */
function protocolErrorResponse(row: Operation, status: number, named: NamedSchemas): Json | undefined {
  const shape = row.errorSchemas?.[status];
  if (shape === undefined) return undefined;
  const content = { 'application/json': { schema: named.refer(toEmbeddedSchema(jsonSchema(shape))) } };
  return { description: STATUS_CODES[status] ?? 'Error', content };
}

function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
