// Wire shapes of PRD chats: sessions, turns, versions. runs-13.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';
import { importRequest, runOptionFields } from './create-run.ts';

/** A session is named by its conversation id, which a caller may choose. */
export const prdSessionId = z.string().min(1).max(200);
export const prdSessionParams = z.object({ id: prdSessionId });
export const prdVersionParams = z.object({ id: prdSessionId, n: z.coerce.number().int().min(1) });

const finding = z.object({ code: z.string(), path: z.string(), message: z.string() });
const document = z.record(z.string(), z.unknown());

export const prdSession = z.object({
  id: prdSessionId,
  conversation_id: prdSessionId,
  codebase_id: z.string().nullable(),
  title: z.string(),
  status: z.enum(['idle', 'answering', 'failed']),
  version: z.int(),
  ready: z.boolean(),
  run_ids: z.array(id),
  messages: z.int(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** At most one of `prd` and `import` is the first version. */
export const newPrdSession = z.strictObject({
  codebase_id: z.string().min(1).max(200).optional(),
  title: z.string().max(200).optional(),
  prd: z.union([document, z.string()]).optional(),
  import: importRequest.optional(),
});
export const prdSessionAnswer = z.object({ session: prdSession });
export const prdSessionCreated = z.object({ session: prdSession, warnings: z.array(finding) });
export const prdSessionQuery = z.strictObject({ ...pageQuery, codebase_id: z.string().min(1).max(200).optional() });
export const prdSessionPage = z.object({ sessions: z.array(prdSession), next_cursor: z.string().nullable() });

export const prdQuestion = z.object({
  id: z.string(),
  text: z.string(),
  options: z.array(z.object({ key: z.string(), text: z.string() })),
});

export const prdTurn = z.object({
  n: z.int(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), text: z.string() })),
  task_id: id.nullable(),
  questions: z.array(prdQuestion),
  status: z.enum(['answering', 'answered', 'failed']),
  source: z.enum(['user', 'agent', 'interview']),
  base_version: z.int(),
  version: z.int().nullable(),
  warnings: z.array(z.string()),
  at: timestamp,
});
export const prdTurnList = z.object({ turns: z.array(prdTurn) });

const versionFields = {
  version: z.int(),
  author: z.enum(['assistant', 'user', 'import']),
  turn: z.int().nullable(),
  ops: z.array(z.record(z.string(), z.unknown())),
  lint: z.array(finding),
  at: timestamp,
};
export const prdVersionSummary = z.object(versionFields);
export const prdVersion = z.object({ ...versionFields, prd: document });
export const prdVersionList = z.object({ versions: z.array(prdVersionSummary) });
export const prdVersionAnswer = z.object({ version: prdVersion });

export const prdMessage = z.strictObject({
  message: z.string().min(1).max(200_000),
  attachments: z
    .array(z.strictObject({ name: z.string().min(1).max(500), text: z.string().max(1_048_576) }))
    .max(20)
    .default([]),
});
/** The answer of a turn, or, with 202, a turn that is still under way. */
export const prdTurnAnswer = z.object({
  turn: prdTurn,
  prd: document.nullable(),
  version: z.int(),
  ready: z.boolean(),
  warnings: z.array(z.string()),
});

/** The answer of an assistant; the service reads it from the result of the turn's task. */
export const prdAssistantAnswer = z.object({
  reply: z.string().min(1).max(20_000),
  questions: z
    .array(prdQuestion.extend({ options: prdQuestion.shape.options.min(2).max(5) }))
    .max(5)
    .default([]),
  ops: z
    .array(
      z.union([
        z.object({ op: z.literal('set'), field: z.string(), value: z.json() }),
        z.object({ op: z.literal('upsert_story'), story: z.record(z.string(), z.json()) }),
        z.object({ op: z.literal('remove_story'), id: z.string() }),
        z.object({ op: z.literal('order'), ids: z.array(z.string()) }),
      ]),
    )
    .default([]),
});

export const putPrdRequest = z.strictObject({ prd: z.union([document, z.string()]), base_version: z.int().min(0) });
export const runOfSession = z.strictObject({
  codebase_id: z.string().min(1).max(200).optional(),
  version: z.int().min(1).optional(),
  ...runOptionFields,
});
