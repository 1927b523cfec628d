// Wire shapes of creating and retrying a run. runs-6.1, tools-4.2.
import { z } from 'zod';
import { id, label } from '../common.ts';
import { routingFields } from '../task.ts';
import { run, runMode, runWarning } from './run.ts';

/** The document, as an object or as its text in YAML or JSON: the domain function checks it. */
const document = z.union([z.record(z.string(), z.unknown()), z.string()]);
const bound = z.number().positive();
const maxIterations = z.int().min(1).max(100);

/** An absent member: no bound. */
export const newBudget = z.strictObject({
  usd: bound.optional(),
  tokens: bound.optional(),
  seconds: bound.optional(),
  iterations: z.int().positive().optional(),
});

const agentChoice = z.union([label, z.array(label).min(1).max(10)]);
const listOfTexts = z.array(z.string());

/** The choices of a run's creator besides its document, as every interface spells them. */
export const runOptionFields = {
  max_iterations: maxIterations.optional(),
  mode: runMode.optional(),
  max_parallel: z.int().min(1).max(10).optional(),
  base: z.string().min(1).max(200).optional(),
  branch_policy: z.enum(['new', 'continue']).optional(),
  /** A name, or names in the order in which one takes over from another. */
  agent: agentChoice.optional(),
  model: label.optional(),
  verifier: z.strictObject({ agent: label.optional(), model: label.optional() }).optional(),
  /** In place of the document's. */
  gates: z.array(z.record(z.string(), z.unknown())).optional(),
  setup: listOfTexts.optional(),
  copy: listOfTexts.optional(),
  baseline: z.enum(['ask', 'require', 'ignore']).optional(),
  unverifiable: z.enum(['ask', 'accept', 'fail']).optional(),
  strict: z.boolean().optional(),
  budget: newBudget.optional(),
  iteration_timeout_seconds: z.number().min(1).max(604_800).optional(),
  merge: z.strictObject({ into: z.string().min(1).max(200) }).optional(),
  priority: routingFields.priority,
  webhook_url: routingFields.webhook_url,
  conversation_id: routingFields.conversation_id,
};
export type RunOptionFields = z.output<z.ZodObject<typeof runOptionFields>>;

/** Body of `POST /v1/ralph/runs`; as `application/yaml` the same object in YAML. */
export const newRun = z.strictObject({
  codebase_id: z.string().min(1).max(200).optional(),
  prd: document,
  ...runOptionFields,
});

/** The answer to the creation of a run. tools-2.3, tools-4.2. */
export const createdRunFields = {
  success: z.literal(true),
  run_id: id,
  status: z.literal('pending'),
  current_iteration: z.literal(0),
  max_iterations: z.int(),
  message: z.string(),
  warnings: z.array(runWarning),
};
export const createdRun = z.object({ ...createdRunFields, run });

/** Body of `POST …/retry`. */
export const retryOfRun = z.strictObject({
  max_iterations: maxIterations.optional(),
  budget: newBudget.optional(),
  model: label.optional(),
  agent: agentChoice.optional(),
});

/** Body of `POST /v1/ralph/lint`; whatever is in `prd` is judged. */
export const lintRequest = z.strictObject({ prd: z.unknown() });
const finding = z.object({ code: z.string(), path: z.string(), message: z.string() });
export const lintAnswer = z.object({ valid: z.boolean(), errors: z.array(finding), warnings: z.array(finding) });

/** Body of `POST /v1/ralph/import`. */
export const importRequest = z.strictObject({
  format: z.enum(['auto', 'ralph', 'ralph-tui', 'speckit', 'taskmaster', 'kiro', 'markdown']).default('auto'),
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(1000), content: z.string().max(4_194_304) }))
    .min(1)
    .max(50),
});
export const importAnswer = z.object({
  prd: z.record(z.string(), z.unknown()),
  warnings: z.array(finding),
  /** Parts of the files that no member of the document can hold. */
  dropped: z.array(z.object({ path: z.string(), value: z.unknown() })),
});
