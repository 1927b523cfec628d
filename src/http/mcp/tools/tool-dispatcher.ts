// The one tool dispatcher of all transports: lists the tools of a caller, and calls one.
import { isPermitted, type Demand } from '../../../domain/access/permit.ts';
import { isPerson } from '../../../domain/access/require-person.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import type { Policy } from '../../../domain/ports/policy.ts';
import { parseIdempotencyKey } from '../../pipeline/idempotency.ts';
import type { NamedCall } from '../../pipeline/operation.ts';
import type { ToolRegistry } from './tool-registry.ts';
import { invalidParams } from './tool-schemas.ts';
import { isInSubset, type ToolSubset } from './tool-subset.ts';
import { renderToolError } from './tool-error.ts';
import { toToolResult } from './tool-result.ts';
import { callPermission, type KnownTool, type ToolInvocation } from './tool.ts';
import type { McpOutcome, ToolCallContext } from './tool-call-context.ts';

export interface ToolDispatcher {
  readonly registry: ToolRegistry;
  /**
   * The tools that this caller may use, in the order of the registry.
   * @throws DomainError unavailable; not_found when the subset names an unknown tool
   */
  toolsOf(context: Pick<ToolCallContext, 'caller' | 'subset'>): Promise<KnownTool[]>;
  /** The audit action and permission of a tool call; undefined when the subset has no such tool. */
  resolveCall(name: unknown, subset: ToolSubset): NamedCall | undefined;
  /** True for a tool that may run long and report progress. */
  isLongRunning(name: unknown): boolean;
  /** @throws RpcError for an unknown tool */
  call(context: ToolCallContext, name: string, args: Readonly<Record<string, unknown>>): Promise<McpOutcome>;
}

export function createToolDispatcher(registry: ToolRegistry, policy: Policy): ToolDispatcher {
  const findTool = (name: string, subset: ToolSubset): KnownTool | undefined => {
    const known = registry.find(name);
    return known !== undefined && isInSubset(subset, known) ? known : undefined;
  };
  const toolsOf: ToolDispatcher['toolsOf'] = async ({ caller, subset }) => {
    for (const name of subset.names ?? []) {
      // Ignoring a misspelt name would shorten the list without a warning.
      if (registry.find(name) === undefined) throw toolNotFound(registry, name);
    }
    const isOpen = ({ tool }: KnownTool): boolean => tool.personOnly !== true || isPerson(caller);
    const inSubset = registry.all.filter((known) => isInSubset(subset, known) && isOpen(known));
    const demands = [...new Set(inSubset.flatMap(requiredPermissions))];
    const answers = await Promise.all(demands.map(async (demand) => isPermitted(policy, caller, demand)));
    const granted = new Set<Demand>(demands.filter((_, i) => answers[i]));
    return inSubset.filter((known) => requiredPermissions(known).every((demand) => granted.has(demand)));
  };
  return {
    registry,
    toolsOf,
    resolveCall(name, subset) {
      return typeof name === 'string' ? findTool(name, subset)?.tool : undefined;
    },
    isLongRunning: (name) => typeof name === 'string' && registry.find(name)?.tool.longRunning === true,
    async call(context, name, args) {
      const known = findTool(name, context.subset);
      if (known === undefined) throw invalidParams(unknownToolText(registry, name));
      const { createsTask = false } = known.tool;
      const key = createsTask ? context.idempotencyKey : undefined;
      let replayed = false;
      const outcome = await callTool(known, context.caller, args, {
        idempotency: parseIdempotencyKey(key, `tool ${known.tool.name}`, args),
        codebaseId: context.subset.codebaseId,
        forwardedOrigin: context.forwardedOrigin,
        reporter: context.reporter,
        longCall: context.longCall,
        tools: () => toolsOf(context),
        markReplayed: () => {
          replayed = true;
        },
      });
      return replayed ? { ...outcome, replayed } : outcome;
    },
  };
}

/** Runs a tool: validates its arguments, calls its verb, and renders the result or the error for a model. @throws internal errors; every other error is the outcome's `refusal` */
async function callTool(
  known: KnownTool,
  caller: Caller,
  args: Readonly<Record<string, unknown>>,
  invocation: ToolInvocation,
): Promise<McpOutcome> {
  try {
    const parsed = known.parse(args);
    return { result: toToolResult(known.tool, await known.tool.run(caller, parsed, invocation)) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'internal') throw error;
    return { result: renderToolError(known, error, args), refusal: error };
  }
}

/**
 * The permissions that a caller needs to see a tool in a list. A read-only tool is listed for callers that may not call
 * tools too; every other tool also needs the permission to call tools.
 */
function requiredPermissions({ tool }: KnownTool): Demand[] {
  const also = tool.alsoRequires === undefined ? [] : [tool.alsoRequires];
  return tool.hints.readOnlyHint ? [tool.permission, ...also] : [tool.permission, callPermission, ...also];
}

/** The error of endpoints that answer with an HTTP status. */
export function toolNotFound(registry: ToolRegistry, name: string): DomainError {
  const message = unknownToolText(registry, name);
  return new DomainError('not_found', 'tool_not_found', message.charAt(0).toUpperCase() + message.slice(1));
}

function unknownToolText(registry: ToolRegistry, name: string): string {
  if (registry.find(name) !== undefined) {
    return `the tool "${name}" is excluded by the path of this request, X-MCP-Toolsets, X-MCP-Tools or X-MCP-Readonly.`;
  }
  const suggestion = registry.suggest(name);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  return `there is no tool "${name.slice(0, 100)}".${hint} Call search_tools to find tools by words.`;
}
