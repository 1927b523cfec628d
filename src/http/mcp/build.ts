// Builds MCP: the tool registry, the one dispatcher, the JSON-RPC methods, and the operations over plain HTTP.
import type { FollowDeps } from '../../domain/events/follow.ts';
import type { RunDeps } from '../../domain/runs/change/run-deps.ts';
import type { PrdChatDeps } from '../../domain/prd/chat/chat-deps.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import type { Cards } from '../a2a/card/cards.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { SchemaCompiler } from '../pipeline/schema.ts';
import { createChallengeRenderer, type Challenges } from './transport/mcp-errors.ts';
import { metadataOperations, metadataUrl, type ResourceOptions } from './transport/metadata.ts';
import { mcpMethods, type McpMethod } from './methods/methods.ts';
import { createToolDispatcher } from './tools/tool-dispatcher.ts';
import { createToolRegistry } from './tools/tool-registry.ts';
import { buildResourceRows } from './methods/resources.ts';
import { mcpToolOperations } from './tool-operations.ts';
import type { KnownTool } from './tools/tool.ts';
import { activeCodebaseTools } from './toolsets/active-codebase.ts';
import { agentTools } from './toolsets/agents.ts';
import { codebaseTools } from './toolsets/codebases.ts';
import { discoveryTools } from './toolsets/discovery.ts';
import { messagingTools } from './toolsets/messaging.ts';
import { prdTools } from './toolsets/prd.ts';
import { ralphTools } from './toolsets/ralph.ts';
import { taskTools } from './toolsets/tasks.ts';

export interface McpDeps extends TaskDeps, FollowDeps {
  readonly now: () => number;
  readonly runs: RunDeps;
  readonly chat: PrdChatDeps;
}

export interface McpOptions {
  readonly cards: Cards;
  readonly schemas: SchemaCompiler;
  readonly version: string;
  readonly resource: ResourceOptions;
}

export interface Mcp {
  /** Mounted together with the other REST routes. */
  readonly operations: readonly Operation[];
  readonly methods: readonly McpMethod[];
  readonly tools: readonly KnownTool[];
  readonly challenges: Challenges;
}

/** @throws for an invalid tool row; the service does not start */
export function buildMcp(deps: McpDeps, { cards, schemas, version, resource }: McpOptions): Mcp {
  const rows = [
    ...messagingTools(deps),
    ...taskTools(deps),
    ...agentTools({ ...deps, cards }),
    ...codebaseTools(deps),
    ...activeCodebaseTools(deps),
    ...discoveryTools(),
    // If nothing new may start, no client is offered to start it. runs-6.1.
    ...(deps.runs.settings.enabled ? [...ralphTools(deps.runs), ...prdTools({ ...deps, ...deps.chat })] : []),
  ];
  const registry = createToolRegistry(rows, schemas);
  const dispatcher = createToolDispatcher(registry, deps.policy);
  const { authorizationServers } = resource;
  const challenges = { metadataUrl: () => metadataUrl(resource), authorizationServers };
  const renderError = createChallengeRenderer(challenges);
  return {
    operations: [
      ...mcpToolOperations({ dispatcher, renderError, version }),
      ...metadataOperations(resource, renderError),
    ],
    methods: mcpMethods({ ...deps, dispatcher, resources: buildResourceRows({ ...deps, cards }) }),
    tools: registry.all,
    challenges,
  };
}
