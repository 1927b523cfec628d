-- Runs and PRD turns act with the present roles of their owner; a retry names the bundles on which it stands. choices-4,
-- runs-18.
alter table ralph_runs
  -- The credential of the owner: {homeTenantId, roles, scopes, keyId}. Null: created before the service stored it.
  add column acts_as      jsonb,
  -- Bundles up to the commit at which a retry begins, in their order: [{task_id, artifact_id, commit} or {run_id, commit}].
  add column base_bundles jsonb not null default '[]';

-- The credential of the sender of the message that an assistant answers; null also where nothing is to be created for it.
alter table prd_turns add column acts_as jsonb;
