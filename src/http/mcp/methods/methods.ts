// The methods of the protocol, each with its name for the audit and what comes of it, whichever path it came by.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import type { NamedCall } from '../../pipeline/operation.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { complete, type CompletionDeps } from './completions.ts';
import type { Platform } from '../tools/platform.ts';
import { prompts, promptText } from './prompts.ts';
import { findResource, isTemplate, readResource, resourceRows } from './resources.ts';
import { malformed } from '../tools/shapes.ts';
import type { Subset } from '../tools/subset.ts';
import { textOfTools } from '../tools/tool.ts';
import type { Outcome, Visit } from '../tools/visit.ts';

export interface McpMethod {
  readonly method: string;
  /** The audit's action. */
  readonly name: string;
  readonly summary: string;
  /** What its params name that is called. */
  readonly calls?: (params: unknown, subset: Subset) => NamedCall | undefined;
  /** True where what its params name may take its time and tell of it. */
  readonly waits?: (params: unknown) => boolean;
  /** @throws RpcError, DomainError */
  readonly run: (visit: Visit, params: unknown) => Promise<Outcome>;
}

export interface MethodDeps extends CompletionDeps {
  readonly platform: Platform;
  readonly resources: ReturnType<typeof resourceRows>;
}

const page = z.object({ cursor: z.string().optional() });
/** Looked at by the tool's own parser: here each name would be gone through once more, which takes longest of all. */
const someArguments = z.custom<Record<string, unknown>>(isObject, 'must be an object');
const call = z.object({ name: z.string(), arguments: someArguments.default({}) });
const reading = z.object({ uri: z.string().max(2000) });
const prompt = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).default({}) });
const completing = z.object({ argument: z.object({ name: z.string(), value: z.string().max(1000) }) });

/** Every method but those that the protocol's own library answers. */
export function mcpMethods(deps: MethodDeps): McpMethod[] {
  return [...toolMethods(deps), ...resourceMethods(deps), ...promptMethods(deps)];
}

function toolMethods({ platform }: MethodDeps): McpMethod[] {
  return [
    {
      method: 'tools/list',
      name: 'mcp.list_tools',
      summary: 'The tools that the caller may use.',
      run: async (visit, params) => {
        whole(parsed(page, params));
        const tools = await platform.toolsOf(visit);
        return { result: { tools: tools.map(({ listed }) => listed) }, text: `{"tools":${textOfTools(tools)}}` };
      },
    },
    {
      method: 'tools/call',
      name: 'mcp.call_tool',
      summary: 'Call a tool; the audit has it under the name of the tool.',
      calls: (params, subset) => platform.named(isObject(params) ? params['name'] : undefined, subset),
      waits: (params) => isObject(params) && platform.waits(params['name']),
      run: (visit, params) => {
        const { name, arguments: args } = parsed(call, params);
        return platform.call(visit, name, args);
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
    listing('resources/list', 'mcp.list_resources', 'The resources with an address of their own.', {
      resources: listed,
    }),
    listing('resources/templates/list', 'mcp.list_resource_templates', 'The forms of further addresses.', {
      resourceTemplates: templates,
    }),
    {
      method: 'resources/read',
      name: 'mcp.read_resource',
      summary: 'Read a resource: a task, its log, its artifacts, codebases, the agent card.',
      calls: (params) => {
        const uri = isObject(params) ? params['uri'] : undefined;
        const found = typeof uri === 'string' ? findResource(resources, uri) : undefined;
        return found && { name: 'mcp.read_resource', permission: found.row.permission, changes: false };
      },
      run: async ({ caller, toldAddress }, params) => {
        const { uri } = parsed(reading, params);
        const found = findResource(resources, uri);
        if (found === undefined) throw missing(uri);
        const content = await readResource(found, uri, { caller, toldAddress });
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
    listing('prompts/list', 'mcp.list_prompts', 'The prompts.', { prompts: listed }),
    {
      method: 'prompts/get',
      name: 'mcp.get_prompt',
      summary: 'A prompt with its arguments put in.',
      run: (_visit, params) => {
        const { name, arguments: args } = parsed(prompt, params);
        const { description, text } = promptText(name, args);
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
        return Promise.resolve({ result: { description, messages } });
      },
    },
    {
      method: 'completion/complete',
      name: 'mcp.complete',
      summary: 'The values that an argument may have, as far as the caller may see them.',
      run: async ({ caller }, params) => {
        const { argument } = parsed(completing, params);
        return { result: { completion: await complete(deps, caller, argument.name, argument.value) } };
      },
    },
  ];
}

function listing(method: string, name: string, summary: string, result: Record<string, unknown>): McpMethod {
  return {
    method,
    name,
    summary,
    run: (_visit, params) => {
      whole(parsed(page, params));
      return Promise.resolve({ result });
    },
  };
}

/** Every list is one page: a cursor is none of ours. */
function whole({ cursor }: { cursor?: string | undefined }): void {
  if (cursor !== undefined) throw malformed('this cursor is not one that a list answered.');
}

function parsed<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const read = schema.safeParse(params ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw malformed(`/params/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is wrong'}.`);
}

/** As for a thing of ours that is not there. */
function missing(uri: string): DomainError {
  return new DomainError('not_found', 'resource_not_found', `There is no resource ${uri.slice(0, 200)}.`);
}
