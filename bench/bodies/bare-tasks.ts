// The table that the bounds write their tasks to: the width of the service's row and its primary key, nothing else.
import { z } from 'zod';

export const bareTasks = `
  create table tasks (
    tenant_id text not null, id uuid not null, status text not null default 'pending', priority smallint not null,
    route_id text not null, run_id uuid not null, attempt integer not null default 0, max_attempts integer not null,
    epoch bigint not null default 0, worker_id uuid, lease_token uuid, lease_expires_at timestamptz,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    started_at timestamptz, completed_at timestamptz, title text not null, prompt text not null, model text,
    codebase_id text, created_by text not null, metadata jsonb not null, result text, primary key (tenant_id, id)
  ) with (fillfactor = 80);`;

/** The task that a caller sends, `bench/bodies/task-body.ts`. */
export const submittedTask = z.object({
  title: z.string(),
  prompt: z.string(),
  codebase_id: z.string(),
  priority: z.number(),
  model: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});

/** Columns that no caller names. */
export const [bareTenant, bareRoute] = ['default', 'a-route-of-22-character'];
