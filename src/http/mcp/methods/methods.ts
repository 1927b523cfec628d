// The JSON-RPC methods of MCP, each with its audit action. Every transport runs these rows.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import type { Built, NamedCall, OperationSpec } from '../../pipeline/operation.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { completeArgument, type CompletionDeps } from './completions.ts';
import type { ToolDispatcher } from '../tools/tool-dispatcher.ts';
import { prompts, renderPrompt } from './prompts.ts';
import { findResource, isTemplate, readResource, buildResourceRows } from './resources.ts';
import { invalidParams } from '../tools/tool-schemas.ts';
import type { ToolSubset } from '../tools/tool-subset.ts';
import { callPermission, toolsToJson } from '../tools/tool.ts';
import type { McpOutcome, ToolCallContext } from '../tools/tool-call-context.ts';

/** A method that the server answers. The permission and the changes of a call are those of the tool that it names. */
export interface McpMethod extends Built<OperationSpec> {
  readonly method: string;
  readonly summary: string;
  /** The call that the params name: a tool or a resource, with its permission. */
  readonly resolveCall?: (params: unknown, subset: ToolSubset) => NamedCall | undefined;
  /** True when the named tool may run long and report progress. */
  readonly isLongRunning?: (params: unknown) => boolean;
  /** @throws RpcError, DomainError */
  readonly run: (context: ToolCallContext, params: unknown) => Promise<McpOutcome>;
}

export interface MethodDeps extends CompletionDeps {
  readonly dispatcher: ToolDispatcher;
  readonly resources: ReturnType<typeof buildResourceRows>;
}

const pageParams = z.object({ cursor: z.string().optional() });
/** Validated by the tool's own parser only: walking every member twice would be the slowest part of a call. */
const someArguments = z.custom<Record<string, unknown>>(isObject, 'must be an object');
const callParams = z.object({ name: z.string(), arguments: someArguments.default({}) });
const readParams = z.object({ uri: z.string().max(2000) });
const promptParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).default({}) });
const completeParams = z.object({ argument: z.object({ name: z.string(), value: z.string().max(1000) }) });

/** Every method needs the permission to call tools, and by itself changes nothing. */
export const methodSpec = { permission: callPermission, changes: false } as const;

/** Builds a row. */
export function mcpMethod(row: Omit<McpMethod, keyof typeof methodSpec>): McpMethod {
  return { ...methodSpec, ...row };
}

/** Every method except those that the SDK answers itself. */
export function mcpMethods(deps: MethodDeps): McpMethod[] {
  return [...toolMethods(deps), ...resourceMethods(deps), ...promptMethods(deps)];
}

function toolMethods({ dispatcher }: MethodDeps): McpMethod[] {
  return [
    mcpMethod({
      method: 'tools/list',
      name: 'mcp.list_tools',
      summary: 'List the tools that the caller may use.',
      run: async (context, params) => {
        rejectCursor(parseParams(pageParams, params));
        const tools = await dispatcher.toolsOf(context);
        return { result: { tools: tools.map(({ listed }) => listed) }, text: `{"tools":${toolsToJson(tools)}}` };
      },
    }),
    mcpMethod({
      method: 'tools/call',
      name: 'mcp.call_tool',
      summary: 'Call a tool; the audit action is the tool’s name.',
      resolveCall: (params, subset) => dispatcher.resolveCall(isObject(params) ? params['name'] : undefined, subset),
      isLongRunning: (params) => isObject(params) && dispatcher.isLongRunning(params['name']),
      run: (context, params) => {
        const { name, arguments: args } = parseParams(callParams, params);
        return dispatcher.call(context, name, args);
      },
    }),
  ];
}

function resourceMethods({ resources }: MethodDeps): McpMethod[] {
  const listed = resources
    .filter((row) => !isTemplate(row))
    .map(({ template: uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType }));
  const templates = resources
    .filter(isTemplate)
    .map(({ template: uriTemplate, name, title, description, mimeType }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType,
    }));
  return [
    listMethod('resources/list', 'mcp.list_resources', 'List the resources with a fixed URI.', {
      resources: listed,
    }),
    listMethod(
      'resources/templates/list',
      'mcp.list_resource_templates',
      'List the URI templates of the other resources.',
      {
        resourceTemplates: templates,
      },
    ),
    mcpMethod({
      method: 'resources/read',
      name: 'mcp.read_resource',
      summary: 'Read a resource: a task, log, artifact, codebase or agent card.',
      resolveCall: (params) => {
        const uri = isObject(params) ? params['uri'] : undefined;
        const found = typeof uri === 'string' ? findResource(resources, uri) : undefined;
        return found && { name: 'mcp.read_resource', permission: found.row.permission, changes: false };
      },
      run: async ({ caller, forwardedOrigin }, params) => {
        const { uri } = parseParams(readParams, params);
        const found = findResource(resources, uri);
        if (found === undefined) throw resourceNotFound(uri);
        const content = await readResource(found, uri, { caller, forwardedOrigin });
        return { result: { contents: [content], _meta: { untrusted: true } } };
      },
    }),
  ];
}

function promptMethods({ ...deps }: MethodDeps): McpMethod[] {
  const listed = prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args,
  }));
  return [
    listMethod('prompts/list', 'mcp.list_prompts', 'List the prompts.', { prompts: listed }),
    mcpMethod({
      method: 'prompts/get',
      name: 'mcp.get_prompt',
      summary: 'Render a prompt with its arguments.',
      run: (_context, params) => {
        const { name, arguments: args } = parseParams(promptParams, params);
        const { description, text } = renderPrompt(name, args);
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
        return Promise.resolve({ result: { description, messages } });
      },
    }),
    mcpMethod({
      method: 'completion/complete',
      name: 'mcp.complete',
      summary: 'List possible values of an argument that the caller may see.',
      run: async ({ caller }, params) => {
        const { argument } = parseParams(completeParams, params);
        return { result: { completion: await completeArgument(deps, caller, argument.name, argument.value) } };
      },
    }),
  ];
}

function listMethod(method: string, name: string, summary: string, result: Record<string, unknown>): McpMethod {
  return mcpMethod({
    method,
    name,
    summary,
    run: (_context, params) => {
      rejectCursor(parseParams(pageParams, params));
      return Promise.resolve({ result });
    },
  });
}

/** Every list has one page, so no list has issued a cursor. */
function rejectCursor({ cursor }: { cursor?: string | undefined }): void {
  if (cursor !== undefined) throw invalidParams('unknown cursor; the list has one page, call it without a cursor.');
}

function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const read = schema.safeParse(params ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidParams(`/params/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is wrong'}.`);
}

function resourceNotFound(uri: string): DomainError {
  return new DomainError('not_found', 'resource_not_found', `There is no resource ${uri.slice(0, 200)}.`);
}
