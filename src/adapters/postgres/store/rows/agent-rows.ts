// Agents: registered ones, workers by their own name, and the agents that workers run. Row-level security limits them to the
// tenant; the statements have no condition for it.
import type { AgentFilter, AgentRows } from '../../../../domain/ports/store/agents.ts';
import { agentExpirySeconds, type Agent } from '../../../../domain/model/agent.ts';
import type { Page } from '../../../../domain/ports/store/page.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';

interface AgentRow {
  readonly name: string;
  readonly role: Agent['role'];
  readonly source: Agent['source'];
  readonly description: string | null;
  readonly url: string | null;
  readonly capabilities: string[];
  readonly models: string[];
  readonly workers: string[];
  readonly last_seen_at: Date;
  readonly registered_at: Date;
  readonly online: boolean;
  readonly routable: boolean;
}

/**
 * $1: seconds after which a worker counts as offline, $2: the same for a registration; $3: only this name; $4: names after
 * this one; $5: a capability; $6: only online agents; $7: limit.
 * The page's names are found first, from the workers' rows. Their workers, capabilities and codebases are read for those
 * names only. Ten thousand equal workers may have one name: equal lists are grouped before they are unnested, and the first
 * worker with a codebase is enough.
 */
const agentsStatement = `
  with bearer as not materialized (
    select *, last_heartbeat_at > now() - make_interval(secs => $1) as online from workers
    where unregistered_at is null and ($3::text is null or name = $3 or $3 = any (agents))
  ), worker_agents as (
    select name, agents, online, $5::text is null or exists (
      select from unnest(capabilities) as c(name) where lower(c.name) = lower($5)) as able
    from bearer
  ), registered as (
    select *, last_seen_at > now() - make_interval(secs => $2) as online,
      $5::text is null or exists (select from unnest(capabilities) as c(name) where lower(c.name) = lower($5)) as able
    from agent_registrations where ($3::text is null or name = $3) and ($4::text is null or name > $4)
  ), page as materialized (
    select name from (
      select name, online, able from worker_agents
      union all
      select a, online, able from (
        select agents, bool_or(online) as online, bool_or(able) as able from worker_agents group by agents
      ) alike cross join lateral unnest(agents) as a
      union all
      select name, online, able from registered
    ) declared
    where ($3::text is null or name = $3) and ($4::text is null or name > $4)
    group by name having bool_or(able) and (not $6 or bool_or(online))
    order by name limit $7
  ), pair as materialized (
    select p.name, case when w.name = p.name then 'worker' else 'agent' end as role, w.worker_id, w.name as worker,
      w.online, w.drained_at, w.last_heartbeat_at, w.registered_at, w.capabilities, w.models
    from page p join (
      select w.*, x.name as borne from bearer w
      cross join lateral (select w.name union all select a from unnest(w.agents) as a where a <> w.name) x
    ) w on w.borne = p.name
  ), borne as (
    select name, max(role) as role, bool_or(online) as online, max(last_heartbeat_at) as last_seen_at,
      min(registered_at) as registered_at, array_agg(worker_id) filter (where online and drained_at is null) as online_ids
    from pair group by name
  ), ability as (
    select name, array_agg(distinct c) filter (where c is not null) as capabilities,
      array_agg(distinct m) filter (where m is not null) as models
    from (
      select name, capabilities, models from pair group by 1, 2, 3
      union all
      select r.name, r.capabilities, r.models from registered r join page p on p.name = r.name
    ) alike
    left join lateral unnest(capabilities, models) as u(c, m) on true
    group by name
  )
  select p.name, coalesce(b.role, 'agent') as role, case when b.name is null then 'registered' else 'worker' end as source,
    r.description, r.url, greatest(b.last_seen_at, r.last_seen_at) as last_seen_at,
    least(b.registered_at, r.registered_at) as registered_at,
    coalesce(b.online, false) or coalesce(r.online, false) as online,
    exists (
      select from unnest(b.online_ids) as i(worker_id) cross join lateral (
        select from codebase_bindings h
        join workspaces c on c.tenant_id = h.tenant_id and c.codebase_id = h.codebase_id
        where h.worker_id = i.worker_id and (c.worker_id is null or c.worker_id = h.worker_id)
        limit 1
      ) held) as routable,
    coalesce(a.capabilities, '{}') as capabilities, coalesce(a.models, '{}') as models,
    case when b.role = 'agent' then array(
      select distinct worker from pair where pair.name = p.name order by 1 limit 5) else '{}' end as workers
  from page p
  left join borne b on b.name = p.name
  left join registered r on r.name = p.name
  left join ability a on a.name = p.name
  order by p.name`;

export function agentRows(scope: Scope, offlineAfterSeconds: number): AgentRows {
  const agents = async (name: string | undefined, filter: AgentFilter, page: Page): Promise<Agent[]> => {
    const { capability, onlineOnly } = filter;
    const found = await scope.query<AgentRow>('agent_list', agentsStatement, [
      offlineAfterSeconds,
      agentExpirySeconds,
      name ?? null,
      page.before ?? null,
      capability ?? null,
      onlineOnly,
      page.limit,
    ]);
    return found.map(agentOf);
  };
  return {
    list: (filter, page) => agents(undefined, filter, page),
    async find(name) {
      return (await agents(name, { onlineOnly: false }, { limit: 1, before: undefined }))[0];
    },
    async findNameHolders(name) {
      const [row] = await scope.query<{ registrant: string | null; workers: string[] }>(
        'agent_bearers',
        `select (select subject from agent_registrations where name = $1) as registrant,
           array(select distinct subject from workers
             where unregistered_at is null and (name = $1 or $1 = any (agents))) as workers`,
        [name],
      );
      return { registrant: row?.registrant ?? undefined, workers: row?.workers ?? [] };
    },
    async countForAdding(subject) {
      await scope.query('agent_lock', `select pg_advisory_xact_lock(hashtextextended('agents of ' || $1, 0))`, [
        scope.tenantId,
      ]);
      const [row] = await scope.query<{ own: number; all: number }>(
        'agent_count',
        `select count(*) filter (where subject = $1)::integer as own, count(*)::integer as all
         from agent_registrations`,
        [subject],
      );
      return row ?? { own: 0, all: 0 };
    },
    async register(subject, { name, description, url, capabilities, models }) {
      await scope.query(
        'agent_register',
        `insert into agent_registrations (tenant_id, name, subject, description, url, capabilities, models)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (tenant_id, name) do update set subject = excluded.subject, description = excluded.description,
           url = excluded.url, capabilities = excluded.capabilities, models = excluded.models, last_seen_at = now()`,
        [scope.tenantId, name, subject, description, url ?? null, capabilities, models],
      );
    },
    async refresh(name) {
      const rows = await scope.query(
        'agent_refresh',
        'update agent_registrations set last_seen_at = now() where name = $1 returning name',
        [name],
      );
      return rows.length > 0;
    },
    async dropStale(olderThanDays) {
      const [row] = await scope.query<{ n: number }>(
        'agent_drop_silent',
        `with gone as (delete from agent_registrations
           where tenant_id = $1 and last_seen_at < now() - make_interval(days => $2) returning 1)
         select count(*)::integer as n from gone`,
        [scope.tenantId, olderThanDays],
      );
      return row?.n ?? 0;
    },
  };
}

function agentOf(row: AgentRow): Agent {
  return {
    name: row.name,
    role: row.role,
    description: row.description ?? borneBy(row),
    url: row.url ?? undefined,
    capabilities: row.capabilities,
    models: row.models,
    lastSeen: isoTime(row.last_seen_at),
    registeredAt: isoTime(row.registered_at),
    online: row.online,
    routable: row.routable,
    source: row.source,
  };
}

function borneBy({ role, workers }: AgentRow): string {
  return role === 'worker' ? 'A worker that takes tasks.' : `An agent that workers run: ${workers.join(', ')}.`;
}
