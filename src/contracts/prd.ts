// Wire shapes of PRDs: the document in both spellings, lint, import. runs-13, runs-18. The service judges a document by
// `domain/prd`, whose errors have the code `invalid_prd`; test/contracts/prd.test.ts holds both to one verdict.
import { z } from 'zod';

const noNul = /^[^\0]*$/;
/** A text that is neither empty nor blank. */
const text = z.string().regex(/\S/).regex(noNul);
/** May be empty: an absent text and an empty one are the same. */
const optionalText = z.string().regex(noNul).nullable().optional();

/** The id of a story or a gate: it becomes a part of git refs and of commit trailers. */
const identifier = z
  .string()
  .regex(/^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/)
  .regex(/(?<!\.|\.lock)$/);

/** A path inside the repository, without `..`. */
const insidePath = text.regex(/^(?![/\\~]|[A-Za-z]:)(?!(?:[^]*[/\\])?\.\.(?:[/\\]|$))/);

const priority = z.int().min(-1_000_000).max(1_000_000).nullable().optional();
const dependsOn = z.array(identifier).max(100).nullable().optional();
const criteria = z.array(text).max(50);
const flag = z.boolean().nullable().optional();
const texts = (most: number): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof text>>> =>
  z.array(text).max(most).nullable().optional();

const check = z.strictObject({ criterion: z.int().min(0).max(50).nullable().optional(), command: text });
const allowTestChanges = z
  .union([z.boolean(), z.array(text).max(100)])
  .nullable()
  .optional();
const timeoutSeconds = z.int().min(1).max(86_400).nullable().optional();

const gateFields = { id: identifier, command: text, required: flag, network: flag };
const gate = z.strictObject({ ...gateFields, timeoutSeconds });
const gateArgument = z.strictObject({ ...gateFields, timeout_seconds: timeoutSeconds });

const storyFields = {
  id: identifier,
  title: text,
  description: text,
  priority,
  passes: flag,
  notes: optionalText,
  checks: z.array(check).max(100).nullable().optional(),
  agent: optionalText,
  model: optionalText,
};
const story = z.strictObject({ ...storyFields, acceptanceCriteria: criteria, dependsOn, allowTestChanges });
/** A story in the tool-call form. tools-2.2. */
const storyArgument = z.strictObject({
  ...storyFields,
  acceptance_criteria: criteria,
  depends_on: dependsOn,
  allow_test_changes: allowTestChanges,
});

const documentFields = {
  project: text,
  description: text,
  setup: texts(50),
  copy: z.array(insidePath).max(200).nullable().optional(),
  protect: texts(200),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
};

/** The document in camelCase, as it is shown and exported. */
export const prdDocument = z.strictObject({
  ...documentFields,
  branchName: text,
  userStories: z.array(story).min(1).max(100),
  gates: z.array(gate).max(50).nullable().optional(),
  nonGoals: texts(200),
  openQuestions: texts(200),
});
export type PrdDocumentWire = z.output<typeof prdDocument>;

/** The members of the document in the tool-call form. tools-2.2. */
export const prdArguments = {
  ...documentFields,
  branch_name: text,
  user_stories: z.array(storyArgument).min(1).max(100),
  gates: z.array(gateArgument).max(50).nullable().optional(),
  non_goals: texts(200),
  open_questions: texts(200),
};

/**
 * A PRD as a caller gives it: an object in either spelling, or its text in YAML or JSON. The domain reads it, so that each
 * fault is `invalid_prd` with its path, and a document may mix the spellings.
 */
export const givenPrd = z.union([z.record(z.string(), z.unknown()), z.string().max(1_048_576)]);

/** One finding about a document; `path` names a member, such as `userStories.0.id`. */
export const prdFinding = z.object({ code: z.string(), path: z.string(), message: z.string() });

/** `POST /v1/ralph/lint`: whatever is in `prd` is answered with 200. */
export const prdLintRequest = z.strictObject({ prd: z.unknown() });
export const prdLintAnswer = z.object({
  valid: z.boolean(),
  errors: z.array(prdFinding),
  warnings: z.array(prdFinding),
});

/** `POST /v1/ralph/import`. */
export const prdImportRequest = z.strictObject({
  format: z.enum(['auto', 'ralph', 'ralph-tui', 'speckit', 'taskmaster', 'kiro', 'markdown']).default('auto'),
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(500), content: z.string() }))
    .min(1)
    .max(20),
});
export type PrdImportRequest = z.output<typeof prdImportRequest>;
export const prdImportAnswer = z.object({
  prd: prdDocument,
  warnings: z.array(prdFinding),
  dropped: z.array(z.object({ path: z.string(), value: z.unknown() })),
});
