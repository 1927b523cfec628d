// Agents: those that registered, and those that workers bear by their own name or by what they run. Row-level security
// keeps them to the tenant: no condition does.
import type { AgentFilter, AgentRows } from '../../../domain/ports/agents.ts';
import { agentLifeSeconds, type Agent } from '../../../domain/model/agent.ts';
import type { Page } from '../../../domain/ports/page.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../task-json.ts';

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
 * $1: seconds after which a worker counts as offline, $2: a registration; $3: this name alone; $4: names after it; $5: a
 * capability; $6: those online alone; $7: how many. What workers can do is put together for the names of the page only:
 * ten thousand workers may bear one name.
 */
const agentsStatement = `
  with borne as (
    select x.name, max(x.role) as role, array_agg(w.worker_id) as worker_ids, bool_or(w.online) as online,
      max(w.last_heartbeat_at) as last_seen_at, min(w.registered_at) as registered_at,
      bool_or(w.online and exists (
        select from codebase_bindings b
        join workspaces c on c.tenant_id = b.tenant_id and c.codebase_id = b.codebase_id
        where b.tenant_id = w.tenant_id and b.worker_id = w.worker_id
          and (c.worker_id is null or c.worker_id = w.worker_id))) as routable,
      bool_or($5::text is null or exists (
        select from unnest(w.capabilities) as c(name) where lower(c.name) = lower($5))) as able
    from (
      select *, last_heartbeat_at > now() - make_interval(secs => $1) as online
      from workers where unregistered_at is null
    ) w
    cross join lateral (
      select w.name, 'worker' as role union all select a, 'agent' from unnest(w.agents) as a where a <> w.name
    ) x
    where ($3::text is null or x.name = $3) and ($4::text is null or x.name > $4)
    group by x.name
  ), registered as (
    select *, last_seen_at > now() - make_interval(secs => $2) as online,
      $5::text is null or exists (select from unnest(capabilities) as c(name) where lower(c.name) = lower($5)) as able
    from agent_registrations where ($3::text is null or name = $3) and ($4::text is null or name > $4)
  ), page as (
    select coalesce(b.name, r.name) as name, coalesce(b.role, 'agent') as role,
      case when b.name is null then 'registered' else 'worker' end as source,
      r.description, r.url, b.worker_ids, r.capabilities, r.models,
      greatest(b.last_seen_at, r.last_seen_at) as last_seen_at,
      least(b.registered_at, r.registered_at) as registered_at,
      coalesce(b.online, false) or coalesce(r.online, false) as online, coalesce(b.routable, false) as routable
    from borne b full join registered r on r.name = b.name
    where (coalesce(b.able, false) or coalesce(r.able, false))
      and (not $6 or coalesce(b.online, false) or coalesce(r.online, false))
    order by 1 limit $7
  )
  select p.name, p.role, p.source, p.description, p.url, p.last_seen_at, p.registered_at, p.online, p.routable,
    array(select distinct c from (
      select unnest(w.capabilities) as c from workers w where w.worker_id = any (p.worker_ids)
      union all select unnest(p.capabilities)) x order by c) as capabilities,
    array(select distinct m from (
      select unnest(w.models) as m from workers w where w.worker_id = any (p.worker_ids)
      union all select unnest(p.models)) x order by m) as models,
    array(select distinct w.name from workers w where w.worker_id = any (p.worker_ids) order by w.name limit 5) as workers
  from page p order by p.name`;

export function agentRows(scope: Scope, offlineAfterSeconds: number): AgentRows {
  const agents = async (name: string | undefined, filter: AgentFilter, page: Page): Promise<Agent[]> => {
    const { capability, onlineOnly } = filter;
    const found = await scope.query<AgentRow>('agent_list', agentsStatement, [
      offlineAfterSeconds,
      agentLifeSeconds,
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
    async bearers(name) {
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
    async dropSilent(olderThanDays) {
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
    ...(row.url === null ? {} : { url: row.url }),
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
