-- Self-healing of the service in its cluster, and the ends of audit chains: each pod has a chain of its own. platform-1.4 and
-- platform-2.

-- Self-healing: rounds of restarts, and what the checks between them remember. Rows of the
-- tenant `system` alone. platform-1.4.

-- One row per round: its primary key lets only one of two replicas begin it.
create table cluster_rounds (
  tenant_id     text not null references tenants,
  cluster_id    text not null,                    -- uid of the Deployment
  round         integer not null,                 -- counts from 1
  started_at    timestamptz not null,
  template_hash text,
  attempt       integer not null,                 -- rounds in a row without health between them
  cautious      boolean not null,                 -- the others wait until the first pod's successor is Ready
  actor         text not null,
  existing      jsonb not null,                   -- uids of the pods when it began
  pods          jsonb not null,                   -- [{pod, uid, reason, state, evictedAt, existing}]
  ended         boolean not null,
  primary key (tenant_id, cluster_id, round)
);
create index cluster_rounds_age on cluster_rounds (tenant_id, started_at);
select make_tenant_table('cluster_rounds');

-- One row per Deployment; its lock puts the judgements of replicas in an order.
create table cluster_status (
  tenant_id  text not null references tenants,
  cluster_id text not null,
  seen_at    timestamptz not null default clock_timestamp(),
  at         timestamptz,                         -- of the report
  replica    text,
  report     jsonb,                               -- of the last check; null: there was none
  memory     jsonb not null default '{}',
  primary key (tenant_id, cluster_id)
);
select make_tenant_table('cluster_status');

-- A replica that ends gracefully closes its chain. A closed chain that was verified is not walked again.
alter table audit_chains
  add column closed_seq    bigint,                -- the last entry; null: the replica runs, or died
  add column closed_hash   text,
  add column verified_hash text;                  -- closed_hash, once the chain was verified
grant update (closed_seq, closed_hash, verified_hash) on audit_chains to a2a_admin;
