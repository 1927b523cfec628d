// The toolset agents: discover and register agents, and read the agent card of this service. tools-4.2.
import { z } from 'zod';
import { label } from '../../../contracts/common.ts';
import { discoverAgents, findAgent, refreshAgent, registerAgent } from '../../../domain/agents/directory.ts';
import { agentBounds } from '../../../domain/agents/profile.ts';
import type { Policy } from '../../../domain/ports/policy.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import type { Cards } from '../../a2a/card/cards.ts';
import { agentToWire } from '../../routes/monitor/monitor-wire.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { readOnly, idempotent, tool, type Tool } from '../tools/tool.ts';

interface AgentDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly cards: Cards;
}

const byName = { input: z.strictObject({ agent_name: label }), example: { agent_name: 'reviewer' } };
const labels = (maxItems: number): z.ZodDefault<z.ZodArray<z.ZodString>> => z.array(label).max(maxItems).default([]);

const agent = z.looseObject({
  name: z.string(),
  role: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
  models: z.array(z.string()),
  last_seen: z.string(),
  routable: z.boolean().describe('an online worker would take a message to it'),
  source: z.string(),
});

export function agentTools(deps: AgentDeps): Tool[] {
  return [discoverTool(deps), getTool(deps), registerTool(deps), refreshTool(deps), cardTool(deps)];
}

function discoverTool(deps: AgentDeps): Tool {
  return tool({
    name: 'discover_agents',
    title: 'Discover agents',
    description:
      'List the agents by name, with their capabilities. Send a message to a routable one with send_to_agent. ' +
      'Pass next_cursor as cursor for more.',
    toolset: 'agents',
    keywords: 'workers bots who list all find capabilities online',
    permission: 'workers:read',
    hints: readOnly,
    input: z.strictObject({
      capability: label.optional(),
      online_only: z.boolean().default(false),
      ...listArguments,
    }),
    output: z.looseObject({ agents: z.array(agent), next_cursor: nextCursor }),
    example: { online_only: true },
    untrusted: true,
    run: async (caller, args) => {
      const query = { capability: args.capability, onlineOnly: args.online_only, ...parsePage(args, 'text') };
      const { agents, next } = await discoverAgents(deps, caller, query);
      return { agents: agents.map(agentToWire), next_cursor: encodeCursor(next) };
    },
  });
}

function getTool(deps: AgentDeps): Tool {
  return tool({
    name: 'get_agent',
    title: 'Get an agent',
    description: 'Get one agent by name: its capabilities, when it was last seen, and whether a message reaches it.',
    toolset: 'agents',
    keywords: 'worker bot details who show',
    permission: 'workers:read',
    hints: readOnly,
    ...byName,
    output: agent,
    untrusted: true,
    run: async (caller, { agent_name }) => agentToWire(await findAgent(deps, caller, agent_name)),
  });
}

function registerTool(deps: AgentDeps): Tool {
  return tool({
    name: 'register_agent',
    title: 'Register as an agent',
    description:
      'Register an agent by name, or update its profile. Call refresh_agent_heartbeat every heartbeat_seconds, or it ' +
      'counts as offline. Its work arrives as tasks for a worker of this name.',
    toolset: 'agents',
    keywords: 'worker bot join announce new sign up',
    permission: 'workers:write',
    hints: idempotent,
    input: z.strictObject({
      name: z.string().min(1).max(agentBounds.name),
      description: z.string().max(agentBounds.description),
      url: z.string().max(agentBounds.url).optional(),
      capabilities: labels(agentBounds.capabilities),
      models: labels(agentBounds.models),
    }),
    output: z.looseObject({ name: z.string(), registered_at: z.string(), heartbeat_seconds: z.int() }),
    example: { name: 'reviewer', description: 'Reviews pull requests.', capabilities: ['review'] },
    run: async (caller, { name, description, url, capabilities, models }) => {
      const profile = { name, description, url, capabilities, models };
      const { agent: registered, heartbeatSeconds } = await registerAgent(deps, caller, profile);
      return {
        name: registered.name,
        registered_at: registered.registeredAt,
        heartbeat_seconds: heartbeatSeconds,
      };
    },
  });
}

function refreshTool(deps: AgentDeps): Tool {
  return tool({
    name: 'refresh_agent_heartbeat',
    title: 'Refresh a heartbeat',
    description: 'Keep a registered agent online. A name that is not registered is an error.',
    toolset: 'agents',
    keywords: 'worker bot alive ping keep visible',
    permission: 'workers:write',
    hints: idempotent,
    ...byName,
    output: z.looseObject({ name: z.string(), last_seen: z.string() }),
    run: async (caller, { agent_name }) => {
      const { name, lastSeen } = await refreshAgent(deps, caller, agent_name);
      return { name, last_seen: lastSeen };
    },
  });
}

function cardTool({ cards }: AgentDeps): Tool {
  return tool({
    name: 'get_agent_card',
    title: 'Get the agent card',
    description: 'Get the A2A card of this service: its skills, its addresses, and how other agents reach it.',
    toolset: 'agents',
    keywords: 'a2a skills capabilities about server discovery',
    permission: 'any_credential',
    hints: readOnly,
    input: z.strictObject({}),
    output: z.looseObject({ name: z.string().optional(), skills: z.array(z.looseObject({})).optional() }),
    example: {},
    run: (caller, _args, { forwardedOrigin }) => cards.publicCard(caller, 'hybrid', forwardedOrigin),
  });
}
