// The tools over plain HTTP: list, search, schema and call, on the same dispatcher as the JSON-RPC methods. tools-4.1.
import { z } from 'zod';
import type { Caller } from '../../domain/model/access/caller.ts';
import { canonicalHash } from '../../lib/json/canonical-hash.ts';
import {
  operation,
  type Answer,
  type NamedCall,
  type Operation,
  type RequestContext,
  type RequestView,
} from '../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../pipeline/pagination.ts';
import { isHttpRefusal, isObject } from '../wire/rpc-envelope.ts';
import { replayHeaders } from '../pipeline/idempotency.ts';
import { newestVersion, serverName } from './transport/handshake.ts';
import { flattenResult } from './transport/plain-rpc.ts';
import { toolNotFound, type ToolDispatcher } from './tools/tool-dispatcher.ts';
import { parseSubset } from './tools/tool-subset.ts';
import { callPermission, toolsToJson } from './tools/tool.ts';
import { describeTool } from './toolsets/discovery.ts';
import type { ToolCallContext } from './tools/tool-call-context.ts';
import { SilentProgressReporter } from './tools/progress-reporter.ts';

export interface ToolOperationOptions {
  readonly dispatcher: ToolDispatcher;
  /** Renders rejections with an MCP challenge. */
  readonly renderError: Operation['renderError'];
  readonly version: string;
}

/** A caller with the permission to call tools may list them too. */
const listPermission = { anyOf: ['mcp:read', 'mcp:write'] } as const;

const listArguments = z.strictObject({
  limit: z.int().min(1).max(200).default(200),
  cursor: z.string().min(1).max(500).optional(),
  toolset: z.string().min(1).max(200).optional(),
  read_only: z.boolean().default(false),
});
const listedTool = z.looseObject({ name: z.string() });
const toolList = z.object({ tools: z.array(listedTool), next_cursor: z.string().nullable() });
const searchBody = z.strictObject({
  query: z.string().max(500),
  category: z.string().optional(),
  detail: z.string().optional(),
  limit: z.int().optional(),
  cursor: z.string().optional(),
});
const callBody = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const result = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  isError: z.boolean().optional(),
});

export function mcpToolOperations({ dispatcher, renderError, version }: ToolOperationOptions): Operation[] {
  const list = async (
    caller: Caller,
    args: z.output<typeof listArguments>,
    context: RequestContext,
  ): Promise<Answer> => {
    const subset = parseSubset({ toolset: args.toolset, readonly: args.read_only }, headerReader(context.view));
    const tools = await dispatcher.toolsOf({ caller, subset });
    const from = Number(parsePage(args, 'text').before ?? 0);
    const page = tools.slice(from, from + args.limit);
    const end = from + page.length;
    const next = end < tools.length && page.length > 0 ? encodeCursor(String(end)) : null;
    const text = `{"tools":${toolsToJson(page)},"next_cursor":${JSON.stringify(next)}}`;
    return { status: 200, body: { tools: page.map((known) => known.listed), next_cursor: next }, text };
  };
  const listRow = {
    name: 'mcp.list_tools',
    path: '/mcp/tools/list',
    summary: 'List the tools that the caller may use.',
    permission: listPermission,
    answers: { 200: toolList },
    renderError,
  } as const;
  return [
    operation({
      ...listRow,
      method: 'GET',
      query: listArguments,
      run: (caller, { query, context }) => list(caller, query, context),
    }),
    operation({
      ...listRow,
      method: 'POST',
      body: listArguments,
      run: (caller, { body, context }) => list(caller, body, context),
    }),
    operation({
      name: 'mcp.search_tools',
      method: 'POST',
      path: '/mcp/tools/search',
      summary: 'Search tools by words, best first, like the tool search_tools.',
      permission: listPermission,
      body: searchBody,
      answers: { 200: z.looseObject({ tools: z.array(listedTool), total: z.int() }) },
      renderError,
      run: async (caller, { body, context }) => {
        const { result: found, refusal } = await dispatcher.call(
          createCallContext(caller, context),
          'search_tools',
          body,
        );
        if (refusal !== undefined) throw refusal;
        return { status: 200, body: found['structuredContent'] };
      },
    }),
    operation({
      name: 'mcp.tool_schema',
      method: 'GET',
      path: '/mcp/tools/schema',
      summary: 'Get the schemas of all tools, or of one with ?name=.',
      permission: listPermission,
      query: z.strictObject({ name: z.string().min(1).max(200).optional() }),
      answers: { 200: z.looseObject({}), 304: z.null() },
      renderError,
      run: async (caller, { query, context }) => {
        const tools = await dispatcher.toolsOf(createCallContext(caller, context));
        const named = tools.find(({ tool }) => tool.name === query.name);
        if (query.name !== undefined && named === undefined) throw toolNotFound(dispatcher.registry, query.name);
        const body = named === undefined ? allSchemas(tools, version) : describeTool(named);
        const etag = `"${canonicalHash(body)}"`;
        const headers = { etag, 'cache-control': 'private, max-age=60', vary: 'Authorization' };
        const isUnchanged =
          context.ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
        return isUnchanged ? { status: 304, body: null, headers } : { status: 200, headers, body };
      },
    }),
    operation({
      name: 'mcp.call_tool',
      method: 'POST',
      path: '/mcp/tools/call',
      summary: 'Call a tool; the result is the same as that of tools/call.',
      permission: callPermission,
      body: callBody,
      createsTask: true,
      answers: { 200: result },
      renderError,
      resolveCall: (body, view) => resolveToolCall(dispatcher, body, view),
      run: async (caller, { body, context }) => {
        const callContext = createCallContext(caller, context);
        if (dispatcher.resolveCall(body.name, callContext.subset) === undefined)
          throw toolNotFound(dispatcher.registry, body.name);
        const outcome = await dispatcher.call(callContext, body.name, body.arguments);
        if (outcome.refusal !== undefined && isHttpRefusal(outcome.refusal)) throw outcome.refusal;
        const headers = replayHeaders(outcome.replayed === true);
        return { status: 200, headers, body: flattenResult(outcome), refusal: outcome.refusal };
      },
    }),
  ];
}

function resolveToolCall(dispatcher: ToolDispatcher, body: unknown, view: RequestView): NamedCall | undefined {
  const name = isObject(body) ? body['name'] : undefined;
  // An unknown toolset is reported by `run`, once the call has begun.
  return typeof name === 'string' ? dispatcher.resolveCall(name, parseSubset({}, headerReader(view))) : undefined;
}

function createCallContext(caller: Caller, context: RequestContext): ToolCallContext {
  const { view } = context;
  return {
    caller,
    subset: parseSubset({}, headerReader(view)),
    idempotencyKey: view.header('idempotency-key'),
    forwardedOrigin: view.forwardedOrigin,
    reporter: new SilentProgressReporter(() => context.signal),
    longCall: context,
  };
}

function headerReader(view: RequestView): (name: string) => string | undefined {
  return (name) => view.header(name);
}

function allSchemas(tools: Awaited<ReturnType<ToolDispatcher['toolsOf']>>, version: string): Record<string, unknown> {
  const schemas = tools.map(({ listed: { name, inputSchema, outputSchema, annotations } }) => [
    name,
    { inputSchema, outputSchema, annotations },
  ]);
  const described = tools.map(({ listed: { name, title, description } }) => [name, title, description]);
  return {
    protocol_version: newestVersion,
    server: { name: serverName, version },
    tools: Object.fromEntries(schemas),
    // Covers everything that a model reads of the tools, so that a client can detect a change.
    hash: canonicalHash([schemas, described]),
  };
}
