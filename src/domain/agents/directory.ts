// The verbs of agents: who registers itself, who is there, who can be sent to. tools-4.2.
import { mayChangeOthers } from '../access/permit.ts';
import { cutPage } from '../access/cut-page.ts';
import { agentHeartbeatSeconds, type Agent, type AgentProfile } from '../model/agent.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { AgentFilter } from '../ports/store/agents.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { checkProfile } from './profile.ts';

interface ReadDeps {
  readonly store: Store;
}
interface ChangeDeps extends ReadDeps {
  readonly policy: Policy;
}

/** Registrations that a subject, and a tenant, may have. */
const maxPerSubject = 100;
const maxPerTenant = 1_000;

/**
 * Makes an agent known, or says anew what it is; it counts as gone unless it is heard of every `heartbeatSeconds`. A name
 * belongs to who registered it, or to whose worker bears it.
 * @throws DomainError invalid, forbidden (another's name, and the caller is no operator), conflict (too many)
 */
export async function registerAgent(
  deps: ChangeDeps,
  caller: Caller,
  profile: AgentProfile,
): Promise<{ agent: Agent; heartbeatSeconds: number }> {
  checkProfile(profile);
  const canChangeOthers = await mayChangeOthers(deps.policy, caller);
  const agent = await deps.store.within(caller, async (rows) => {
    const counts = await rows.agents.countForAdding(caller.subject);
    const { registrant, workers } = await rows.agents.findNameHolders(profile.name);
    const isOwnedByOther =
      registrant === undefined
        ? workers.length > 0 && !workers.includes(caller.subject)
        : registrant !== caller.subject;
    if (isOwnedByOther && !canChangeOthers) throw nameTaken(profile.name);
    if (registrant !== caller.subject && counts.own >= maxPerSubject)
      throw tooMany(`You have registered ${maxPerSubject} agents`);
    if (registrant === undefined && counts.all >= maxPerTenant)
      throw tooMany(`There are ${maxPerTenant} registered agents`);
    await rows.agents.register(caller.subject, profile);
    return existingAgent(rows, profile.name);
  });
  return { agent, heartbeatSeconds: agentHeartbeatSeconds };
}

/**
 * Says that a registered agent is still there.
 * @throws DomainError not_found (nobody registered it), forbidden (another's, and the caller is no operator)
 */
export async function refreshAgent(deps: ChangeDeps, caller: Caller, name: string): Promise<Agent> {
  const canChangeOthers = await mayChangeOthers(deps.policy, caller);
  return deps.store.within(caller, async (rows) => {
    const { registrant } = await rows.agents.findNameHolders(name);
    if (registrant === undefined) throw notRegistered();
    if (registrant !== caller.subject && !canChangeOthers) throw nameTaken(name);
    // Taken away by housekeeping between the two.
    if (!(await rows.agents.refresh(name))) throw notRegistered();
    return existingAgent(rows, name);
  });
}

/** @throws DomainError not_found */
export async function findAgent(deps: ReadDeps, caller: Caller, name: string): Promise<Agent> {
  return deps.store.within(caller, (rows) => existingAgent(rows, name));
}

/** By name. @param query.before the name after which the page goes on */
export async function discoverAgents(
  deps: ReadDeps,
  caller: Caller,
  query: {
    capability?: string | undefined;
    onlineOnly?: boolean | undefined;
    limit: number;
    before?: string | undefined;
  },
): Promise<{ agents: readonly Agent[]; next: string | null }> {
  const filter: AgentFilter = { capability: query.capability, onlineOnly: query.onlineOnly ?? false };
  const page = { limit: query.limit + 1, before: query.before };
  const found = await deps.store.within(caller, (rows) => rows.agents.list(filter, page));
  const { items: agents, next } = cutPage(found, query.limit, (agent) => agent.name);
  return { agents, next };
}

async function existingAgent(rows: Rows, name: string): Promise<Agent> {
  const agent = await rows.agents.find(name);
  if (agent === undefined) throw notFound('agent');
  return agent;
}

function notRegistered(): DomainError {
  return new DomainError(
    'not_found',
    'agent_not_registered',
    'No agent is registered under this name, or it was silent for too long and is forgotten: call register_agent first.',
  );
}

function nameTaken(name: string): DomainError {
  return new DomainError(
    'forbidden',
    'agent_name_taken',
    `The name ${JSON.stringify(name)} belongs to somebody else. Choose another one; taking it over needs the role operator.`,
  );
}

function tooMany(fact: string): DomainError {
  return new DomainError(
    'conflict',
    'too_many_agents',
    `${fact}, and more are not kept. Register under a name that you have already, or let some be forgotten.`,
  );
}
