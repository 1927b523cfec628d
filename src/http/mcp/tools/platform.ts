// What every path of the door shares: the tools as this caller has them, and the call of one. One dispatcher.
import { mayDo, type Demand } from '../../../domain/access/permit.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import type { Policy } from '../../../domain/ports/policy.ts';
import { idempotencyKey } from '../../pipeline/idempotency.ts';
import type { NamedCall } from '../../pipeline/operation.ts';
import { callTool } from './call-tool.ts';
import type { Registry } from './registry.ts';
import { malformed } from './shapes.ts';
import { isIn, type Subset } from './subset.ts';
import { callDemand, type KnownTool } from './tool.ts';
import type { Outcome, Visit } from './visit.ts';

export interface Platform {
  readonly registry: Registry;
  /**
   * The tools that this caller may use, in the order of the registry.
   * @throws DomainError unavailable; not_found where the subset names a tool that there is not
   */
  toolsOf(visit: Pick<Visit, 'caller' | 'subset'>): Promise<KnownTool[]>;
  /** What calling a tool of this name is; undefined where there is none in the subset. */
  named(name: unknown, subset: Subset): NamedCall | undefined;
  /** True for a tool that may take its time and tell of it. */
  waits(name: unknown): boolean;
  /** @throws RpcError for a tool that there is not */
  call(visit: Visit, name: string, args: Readonly<Record<string, unknown>>): Promise<Outcome>;
}

export function toolPlatform(registry: Registry, policy: Policy): Platform {
  const within = (name: string, subset: Subset): KnownTool | undefined => {
    const known = registry.find(name);
    return known !== undefined && isIn(subset, known) ? known : undefined;
  };
  const toolsOf: Platform['toolsOf'] = async ({ caller, subset }) => {
    for (const name of subset.names ?? []) {
      // A misspelt name would leave a shorter list, and nobody the wiser.
      if (registry.find(name) === undefined) throw noSuchTool(registry, name);
    }
    const inSubset = registry.all.filter((known) => isIn(subset, known));
    const demands = [...new Set(inSubset.flatMap(demandsOf))];
    const answers = await Promise.all(demands.map((demand) => mayDo(policy, caller, demand)));
    const granted = new Set<Demand>(demands.filter((_, i) => answers[i]));
    return inSubset.filter((known) => demandsOf(known).every((demand) => granted.has(demand)));
  };
  return {
    registry,
    toolsOf,
    named(name, subset) {
      const known = typeof name === 'string' ? within(name, subset) : undefined;
      if (known === undefined) return undefined;
      const { permission, hints } = known.tool;
      return { name: known.tool.name, permission, changes: !hints.readOnlyHint };
    },
    waits: (name) => typeof name === 'string' && registry.find(name)?.tool.waits === true,
    async call(visit, name, args) {
      const known = within(name, visit.subset);
      if (known === undefined) throw malformed(unknownTool(registry, name));
      const { createsTask = false } = known.tool;
      const key = createsTask ? visit.idempotencyKey : undefined;
      let replayed = false;
      const outcome = await callTool(known, visit.caller, args, {
        idempotency: idempotencyKey(key, `tool ${known.tool.name}`, args),
        codebaseId: visit.subset.codebaseId,
        toldAddress: visit.toldAddress,
        live: visit.live,
        long: visit.long,
        tools: () => toolsOf(visit),
        replays: () => {
          replayed = true;
        },
      });
      return replayed ? { ...outcome, replayed } : outcome;
    },
  };
}

/**
 * What a tool demands of who is shown it: a tool that only looks is shown for what it tells, to who may not call it too;
 * any other does something, whatever its own permission is called.
 */
function demandsOf({ tool }: KnownTool): Demand[] {
  return tool.hints.readOnlyHint ? [tool.permission] : [tool.permission, callDemand];
}

/** For a path that answers in HTTP. */
export function noSuchTool(registry: Registry, name: string): DomainError {
  const said = unknownTool(registry, name);
  return new DomainError('not_found', 'tool_not_found', said.charAt(0).toUpperCase() + said.slice(1));
}

/** In the words of every path. */
function unknownTool(registry: Registry, name: string): string {
  if (registry.find(name) !== undefined) {
    return `the tool "${name}" is not among those that this request asks for by its path, X-MCP-Toolsets, X-MCP-Tools or X-MCP-Readonly.`;
  }
  const meant = registry.meant(name);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `there is no tool "${name.slice(0, 100)}" here.${hint} search_tools finds tools by words.`;
}
