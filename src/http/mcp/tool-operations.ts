// The tools over plain HTTP: list, search, schema, call. Thin calls of what every path of the door calls. document 2 §4.1.
import { z } from 'zod';
import type { Caller } from '../../domain/model/access/caller.ts';
import { canonicalHash } from '../../lib/json/canonical-hash.ts';
import {
  operation,
  type Answer,
  type NamedCall,
  type Operation,
  type RequestFacts,
  type RequestWords,
} from '../pipeline/operation.ts';
import { cursorOf, pageOf } from '../pipeline/page.ts';
import { isHttpRefusal, isObject } from '../wire/rpc-envelope.ts';
import { replayHeaders } from '../pipeline/idempotency.ts';
import { newestVersion, serverName } from './transport/handshake.ts';
import { flattened } from './transport/plain-door.ts';
import { noSuchTool, type Platform } from './tools/platform.ts';
import { subsetOf } from './tools/subset.ts';
import { callDemand, textOfTools } from './tools/tool.ts';
import { toolSchema } from './toolsets/discovery.ts';
import type { Visit } from './tools/visit.ts';
import { QuietLive } from './tools/live.ts';

export interface ToolDoorOptions {
  readonly platform: Platform;
  /** What is said of a refusal on these paths. */
  readonly refuse: Operation['refuse'];
  readonly version: string;
}

/** Who may call a tool may see what there is to call. */
const mayLook = { anyOf: ['mcp:read', 'mcp:write'] } as const;

const listing = {
  limit: z.int().min(1).max(200).default(200),
  cursor: z.string().min(1).max(500).optional(),
  toolset: z.string().min(1).max(200).optional(),
  read_only: z.boolean().default(false),
};
const listed = z.looseObject({ name: z.string() });
const toolList = z.object({ tools: z.array(listed), next_cursor: z.string().nullable() });
const searching = z.strictObject({
  query: z.string().max(500),
  category: z.string().optional(),
  detail: z.string().optional(),
  limit: z.int().optional(),
  cursor: z.string().optional(),
});
const calling = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const result = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  isError: z.boolean().optional(),
});

export function toolOperations({ platform, refuse, version }: ToolDoorOptions): Operation[] {
  const list = async (
    caller: Caller,
    query: z.output<z.ZodObject<typeof listing>>,
    facts: RequestFacts,
  ): Promise<Answer> => {
    const subset = subsetOf({ toolset: query.toolset, readonly: query.read_only }, narrowing(facts.words));
    const tools = await platform.toolsOf({ caller, subset });
    const from = Number(pageOf(query, 'text').before ?? 0);
    const page = tools.slice(from, from + query.limit);
    const end = from + page.length;
    const next = end < tools.length && page.length > 0 ? cursorOf(String(end)) : null;
    const text = `{"tools":${textOfTools(page)},"next_cursor":${JSON.stringify(next)}}`;
    return { status: 200, body: { tools: page.map((known) => known.listed), next_cursor: next }, text };
  };
  return [
    operation({
      name: 'mcp.list_tools',
      method: 'GET',
      path: '/mcp/tools/list',
      summary: 'The tools that the caller may use.',
      permission: mayLook,
      query: z.strictObject(listing),
      answers: { 200: toolList },
      refuse,
      run: (caller, { query, facts }) => list(caller, query, facts),
    }),
    operation({
      name: 'mcp.list_tools',
      method: 'POST',
      path: '/mcp/tools/list',
      summary: 'The same, for clients that post.',
      permission: mayLook,
      body: z.strictObject(listing),
      answers: { 200: toolList },
      refuse,
      run: (caller, { body, facts }) => list(caller, body, facts),
    }),
    operation({
      name: 'mcp.search_tools',
      method: 'POST',
      path: '/mcp/tools/search',
      summary: 'Find tools by words, best first; the tool search_tools.',
      permission: mayLook,
      body: searching,
      answers: { 200: z.looseObject({ tools: z.array(listed), total: z.int() }) },
      refuse,
      run: async (caller, { body, facts }) => {
        const { result: found, refusal } = await platform.call(visitOf(caller, facts), 'search_tools', body);
        if (refusal !== undefined) throw refusal;
        return { status: 200, body: found['structuredContent'] };
      },
    }),
    operation({
      name: 'mcp.tool_schema',
      method: 'GET',
      path: '/mcp/tools/schema',
      summary: 'The schemas of all tools; with ?name= one tool, as the tool get_tool_schema answers.',
      permission: mayLook,
      query: z.strictObject({ name: z.string().min(1).max(200).optional() }),
      answers: { 200: z.looseObject({}), 304: z.null() },
      refuse,
      run: async (caller, { query, facts }) => {
        const tools = await platform.toolsOf(visitOf(caller, facts));
        const one = tools.find(({ tool }) => tool.name === query.name);
        if (query.name !== undefined && one === undefined) throw noSuchTool(platform.registry, query.name);
        const body = one === undefined ? allSchemas(tools, version) : toolSchema(one);
        const etag = `"${canonicalHash(body)}"`;
        const headers = { etag, 'cache-control': 'private, max-age=60', vary: 'Authorization' };
        const known = facts.ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
        return known ? { status: 304, body: null, headers } : { status: 200, headers, body };
      },
    }),
    operation({
      name: 'mcp.call_tool',
      method: 'POST',
      path: '/mcp/tools/call',
      summary: 'Call a tool; the result is that of tools/call, and the audit has it under the name of the tool.',
      permission: callDemand,
      body: calling,
      createsTask: true,
      answers: { 200: result },
      refuse,
      calls: (body, words) => namedIn(platform, body, words),
      run: async (caller, { body, facts }) => {
        const visit = visitOf(caller, facts);
        if (platform.named(body.name, visit.subset) === undefined) throw noSuchTool(platform.registry, body.name);
        const outcome = await platform.call(visit, body.name, body.arguments);
        if (outcome.refusal !== undefined && isHttpRefusal(outcome.refusal)) throw outcome.refusal;
        const headers = replayHeaders(outcome.replayed === true);
        return { status: 200, headers, body: flattened(outcome), refusal: outcome.refusal };
      },
    }),
  ];
}

function namedIn(platform: Platform, body: unknown, words: RequestWords): NamedCall | undefined {
  const name = isObject(body) ? body['name'] : undefined;
  // A toolset that there is not is told once the call has begun.
  return typeof name === 'string' ? platform.named(name, subsetOf({}, narrowing(words))) : undefined;
}

function visitOf(caller: Caller, facts: RequestFacts): Visit {
  const { words } = facts;
  return {
    caller,
    subset: subsetOf({}, narrowing(words)),
    idempotencyKey: words.header('idempotency-key'),
    toldAddress: words.toldAddress,
    live: new QuietLive(() => facts.signal),
    long: facts,
  };
}

function narrowing(words: RequestWords): (name: string) => string | undefined {
  return (name) => words.header(name);
}

function allSchemas(tools: Awaited<ReturnType<Platform['toolsOf']>>, version: string): Record<string, unknown> {
  const schemas = tools.map(({ listed: { name, inputSchema, outputSchema, annotations } }) => [
    name,
    { inputSchema, outputSchema, annotations },
  ]);
  const described = tools.map(({ listed: { name, title, description } }) => [name, title, description]);
  return {
    protocol_version: newestVersion,
    server: { name: serverName, version },
    tools: Object.fromEntries(schemas),
    // Of all that a model reads of the tools: a client may hold it against what it knew.
    hash: canonicalHash([schemas, described]),
  };
}
