// The toolset agents: who works here, and the card of this service. document 2 §4.2.
import { z } from 'zod';
import type { Cards } from '../../a2a/cards.ts';
import { looks, tool, type Tool } from '../tool.ts';

interface AgentDeps {
  readonly cards: Cards;
}

export function agentTools(deps: AgentDeps): Tool[] {
  return [cardTool(deps)];
}

function cardTool({ cards }: AgentDeps): Tool {
  return tool({
    name: 'get_agent_card',
    title: 'Get the agent card',
    description: 'The card of this service: its skills, its addresses, and how other agents reach it over A2A.',
    toolset: 'agents',
    keywords: 'a2a skills capabilities about server discovery',
    permission: 'any_credential',
    hints: looks,
    input: z.strictObject({}),
    output: z.looseObject({ name: z.string().optional(), skills: z.array(z.looseObject({})).optional() }),
    example: {},
    run: async (caller, _args, { toldAddress }) => cards.open(caller, 'hybrid', toldAddress),
  });
}
