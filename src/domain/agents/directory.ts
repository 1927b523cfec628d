// The verbs of agents: register, refresh, find, discover. tools-4.2.
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

/** Registrations of one subject, and of one tenant. */
const maxPerSubject = 100;
const maxPerTenant = 1_000;

/**
 * Registers an agent, or updates its registration; it counts as gone without a heartbeat every `heartbeatSeconds`. A
 * name belongs to the subject that registered it, or to the credential of the worker with that name.
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
      throw tooMany(`You have ${maxPerSubject} registered agents`);
    if (registrant === undefined && counts.all >= maxPerTenant)
      throw tooMany(`This tenant has ${maxPerTenant} registered agents`);
    await rows.agents.register(caller.subject, profile);
    return existingAgent(rows, profile.name);
  });
  return { agent, heartbeatSeconds: agentHeartbeatSeconds };
}

/**
 * Renews the registration of an agent.
 * @throws DomainError not_found (not registered), forbidden (another's, and the caller is no operator)
 */
export async function refreshAgent(deps: ChangeDeps, caller: Caller, name: string): Promise<Agent> {
  const canChangeOthers = await mayChangeOthers(deps.policy, caller);
  return deps.store.within(caller, async (rows) => {
    const { registrant } = await rows.agents.findNameHolders(name);
    if (registrant === undefined) throw notRegistered();
    if (registrant !== caller.subject && !canChangeOthers) throw nameTaken(name);
    // Housekeeping may have deleted it between the two statements.
    if (!(await rows.agents.refresh(name))) throw notRegistered();
    return existingAgent(rows, name);
  });
}

/** @throws DomainError not_found */
export async function findAgent(deps: ReadDeps, caller: Caller, name: string): Promise<Agent> {
  return deps.store.within(caller, (rows) => existingAgent(rows, name));
}

/** By name. @param query.before the name after which the page begins */
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
    'No agent is registered under this name, or its registration expired. Call register_agent first.',
  );
}

function nameTaken(name: string): DomainError {
  return new DomainError(
    'forbidden',
    'agent_name_taken',
    `The name ${JSON.stringify(name)} belongs to another subject. Choose another name; taking it over requires the role operator.`,
  );
}

function tooMany(fact: string): DomainError {
  return new DomainError(
    'conflict',
    'too_many_agents',
    `${fact}, which is the maximum. Reuse a registered name, or let some registrations expire.`,
  );
}
