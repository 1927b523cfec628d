// Wire shape of a task template: a task that a cron job, an objective or an automation creates later.
import { z } from 'zod';
import { routingFields } from '../task.ts';

const { deadline_at: _, priority, required_capabilities: capabilities, metadata, ...rest } = routingFields;

/** Absent fields stay absent, so that a template is answered as it was given. */
export const taskTemplate = z.strictObject({
  title: z.string().min(1).max(200).optional(),
  prompt: z.string().min(1).max(200_000),
  codebase_id: z.string().min(1).max(200).optional(),
  ...rest,
  priority: priority.unwrap().optional(),
  required_capabilities: capabilities.unwrap().optional(),
  metadata: metadata.unwrap().optional(),
  /** The deadline of each task, in seconds after its creation. */
  deadline_seconds: z.int().min(1).max(31_536_000).optional(),
});
export type TaskTemplateWire = z.infer<typeof taskTemplate>;
