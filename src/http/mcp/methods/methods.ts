// The methods of the protocol, each with its name for the audit and what comes of it, whichever path it came by.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import type { NamedCall } from '../../pipeline/operation.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { completeArgument, type CompletionDeps } from './completions.ts';
import type { ToolDispatcher } from '../tools/tool-dispatcher.ts';
import { prompts, renderPrompt } from './prompts.ts';
import { findResource, isTemplate, readResource, buildResourceRows } from './resources.ts';
import { invalidParams } from '../tools/tool-schemas.ts';
import type { ToolSubset } from '../tools/tool-subset.ts';
import { toolsToJson } from '../tools/tool.ts';
import type { McpOutcome, ToolCallContext } from '../tools/tool-call-context.ts';

export interface McpMethod {
  readonly method: string;
  /** The audit's action. */
  readonly name: string;
  readonly summary: string;
  /** What its params name that is called. */
  readonly resolveCall?: (params: unknown, subset: ToolSubset) => NamedCall | undefined;
  /** True where what its params name may take its time and tell of it. */
  readonly isLongRunning?: (params: unknown) => boolean;
  /** @throws RpcError, DomainError */
  readonly run: (context: ToolCallContext, params: unknown) => Promise<McpOutcome>;
}

export interface MethodDeps extends CompletionDeps {
  readonly dispatcher: ToolDispatcher;
  readonly resources: ReturnType<typeof buildResourceRows>;
}

const pageParams = z.object({ cursor: z.string().optional() });
/** Looked at by the tool's own parser: here each name would be gone through once more, which takes longest of all. */
const someArguments = z.custom<Record<string, unknown>>(isObject, 'must be an object');
const callParams = z.object({ name: z.string(), arguments: someArguments.default({}) });
const readParams = z.object({ uri: z.string().max(2000) });
const promptParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).default({}) });
const completeParams = z.object({ argument: z.object({ name: z.string(), value: z.string().max(1000) }) });

/** Every method but those that the protocol's own library answers. */
export function mcpMethods(deps: MethodDeps): McpMethod[] {
  return [...toolMethods(deps), ...resourceMethods(deps), ...promptMethods(deps)];
}

function toolMethods({ dispatcher }: MethodDeps): McpMethod[] {
  return [
    {
      method: 'tools/list',
      name: 'mcp.list_tools',
      summary: 'The tools that the caller may use.',
      run: async (context, params) => {
        rejectCursor(parseParams(pageParams, params));
        const tools = await dispatcher.toolsOf(context);
        return { result: { tools: tools.map(({ listed }) => listed) }, text: `{"tools":${toolsToJson(tools)}}` };
      },
    },
    {
      method: 'tools/call',
      name: 'mcp.call_tool',
      summary: 'Call a tool; the audit has it under the name of the tool.',
      resolveCall: (params, subset) => dispatcher.resolveCall(isObject(params) ? params['name'] : undefined, subset),
      isLongRunning: (params) => isObject(params) && dispatcher.isLongRunning(params['name']),
      run: (context, params) => {
        const { name, arguments: args } = parseParams(callParams, params);
        return dispatcher.call(context, name, args);
      },
    },
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
    listMethod('resources/list', 'mcp.list_resources', 'The resources with an address of their own.', {
      resources: listed,
    }),
    listMethod('resources/templates/list', 'mcp.list_resource_templates', 'The forms of further addresses.', {
      resourceTemplates: templates,
    }),
    {
      method: 'resources/read',
      name: 'mcp.read_resource',
      summary: 'Read a resource: a task, its log, its artifacts, codebases, the agent card.',
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
    },
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
    listMethod('prompts/list', 'mcp.list_prompts', 'The prompts.', { prompts: listed }),
    {
      method: 'prompts/get',
      name: 'mcp.get_prompt',
      summary: 'A prompt with its arguments put in.',
      run: (_context, params) => {
        const { name, arguments: args } = parseParams(promptParams, params);
        const { description, text } = renderPrompt(name, args);
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
        return Promise.resolve({ result: { description, messages } });
      },
    },
    {
      method: 'completion/complete',
      name: 'mcp.complete',
      summary: 'The values that an argument may have, as far as the caller may see them.',
      run: async ({ caller }, params) => {
        const { argument } = parseParams(completeParams, params);
        return { result: { completion: await completeArgument(deps, caller, argument.name, argument.value) } };
      },
    },
  ];
}

function listMethod(method: string, name: string, summary: string, result: Record<string, unknown>): McpMethod {
  return {
    method,
    name,
    summary,
    run: (_context, params) => {
      rejectCursor(parseParams(pageParams, params));
      return Promise.resolve({ result });
    },
  };
}

/** Every list is one page: a cursor is none of ours. */
function rejectCursor({ cursor }: { cursor?: string | undefined }): void {
  if (cursor !== undefined) throw invalidParams('this cursor is not one that a list answered.');
}

function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const read = schema.safeParse(params ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidParams(`/params/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is wrong'}.`);
}

/** As for a thing of ours that is not there. */
function resourceNotFound(uri: string): DomainError {
  return new DomainError('not_found', 'resource_not_found', `There is no resource ${uri.slice(0, 200)}.`);
}
