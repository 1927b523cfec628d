// The tool protocol, built: the registry from its tables, the one dispatcher, and the rows of its doors.
import type { FollowDeps } from '../../domain/events/follow.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import { DomainError } from '../../domain/model/errors.ts';
import type { Cards } from '../a2a/cards.ts';
import type { Operation } from '../operation.ts';
import type { Schemas } from '../schema.ts';
import { refusalOf, type Challenges } from './challenge.ts';
import { metadataOperations, metadataUrl, type ResourceOptions } from './metadata.ts';
import { mcpMethods, type McpMethod } from './methods.ts';
import { toolPlatform } from './platform.ts';
import { toolRegistry } from './registry.ts';
import { resourceRows } from './resources.ts';
import { toolOperations } from './tool-operations.ts';
import type { KnownTool } from './tool.ts';
import { activeCodebaseTools } from './tools/active-codebase.ts';
import { agentTools } from './tools/agents.ts';
import { codebaseTools } from './tools/codebases.ts';
import { discoveryTools } from './tools/discovery.ts';
import { messagingTools } from './tools/messaging.ts';
import { prdTools } from './tools/prd.ts';
import { ralphTools } from './tools/ralph.ts';
import { taskTools } from './tools/tasks.ts';

export interface McpDeps extends TaskDeps, FollowDeps {
  readonly now: () => number;
}

export interface McpOptions {
  readonly cards: Cards;
  readonly schemas: Schemas;
  readonly version: string;
  readonly resource: ResourceOptions;
}

export interface Mcp {
  /** Rows to be mounted with those of the families. */
  readonly operations: readonly Operation[];
  readonly methods: readonly McpMethod[];
  readonly tools: readonly KnownTool[];
  readonly challenges: Challenges;
}

/** @throws when a tool is not whole: the start stops */
export function buildMcp(deps: McpDeps, { cards, schemas, version, resource }: McpOptions): Mcp {
  const rows = [
    ...messagingTools(deps),
    ...taskTools(deps),
    ...agentTools({ ...deps, cards }),
    ...codebaseTools(deps),
    ...activeCodebaseTools(deps),
    ...discoveryTools(),
    ...ralphTools(),
    ...prdTools(),
  ];
  const registry = toolRegistry(rows, schemas);
  const platform = toolPlatform(registry, deps.policy);
  const { authorizationServers } = resource;
  const challenges = { metadataUrl: () => metadataUrl(resource), authorizationServers };
  const refuse: Operation['refuse'] = (error, words) => {
    const refused = error instanceof DomainError && ['unauthenticated', 'forbidden'].includes(error.kind);
    return refused ? refusalOf(challenges, error, words.requestId) : undefined;
  };
  return {
    operations: [...toolOperations({ platform, refuse, version }), ...metadataOperations(resource, refuse)],
    methods: mcpMethods({ ...deps, platform, resources: resourceRows({ ...deps, cards }) }),
    tools: registry.all,
    challenges,
  };
}
