// Objectives, key results and runs between their wire shapes and the domain's.
import type { z } from 'zod';
import type {
  KeyResultWire,
  keyResultChange,
  newKeyResult,
  newOkr,
  okrChange,
  OkrTaskTemplateWire,
  OkrWire,
} from '../../../contracts/okr/okr.ts';
import type { newOkrRun, OkrRunWire } from '../../../contracts/okr/okr-run.ts';
import { progressOfObjective } from '../../../domain/model/okr/measure.ts';
import type { KeyResultMove } from '../../../domain/model/okr/move-key-result.ts';
import type { KeyResult, OkrRun, OkrTaskTemplate, OkrView } from '../../../domain/model/okr/okr.ts';
import type { KeyResultEdit, KeyResultInput } from '../../../domain/okr/change/change-key-result.ts';
import type { NewOkr, OkrEdit } from '../../../domain/okr/change/change-okr.ts';
import type { OkrRunRequest } from '../../../domain/okr/run/start-run.ts';
import { templateFromWire, templateToWire } from '../tasks/template-wire.ts';

export function okrFromWire(body: z.output<typeof newOkr>): NewOkr {
  return {
    objective: body.objective,
    description: body.description ?? null,
    owner: body.owner,
    targetDate: body.target_date ?? null,
    tags: body.tags,
    taskTemplate: body.task_template === undefined ? null : okrTemplateFromWire(body.task_template),
    keyResults: body.key_results.map(keyResultFromWire),
  };
}

export function okrEditFromWire(body: Omit<z.output<typeof okrChange>, 'version'>): OkrEdit {
  const { task_template: template, target_date: targetDate, ...fields } = body;
  return { ...fields, targetDate, taskTemplate: template && okrTemplateFromWire(template) };
}

function okrTemplateFromWire(template: OkrTaskTemplateWire): OkrTaskTemplate {
  const { conversationId: _, prompt, ...fields } = templateFromWire({ ...template, prompt: template.prompt ?? '' });
  return prompt === '' ? fields : { ...fields, prompt };
}

function okrTemplateToWire(template: OkrTaskTemplate): OkrTaskTemplateWire {
  const { conversation_id: _, prompt, ...fields } = templateToWire({ ...template, prompt: template.prompt ?? '' });
  return prompt === '' ? fields : { ...fields, prompt };
}

export function keyResultFromWire(body: z.output<typeof newKeyResult>): KeyResultInput {
  const { title, weight, measure, position } = body;
  return { title, weight, measure, position, move: moveFromWire(body) };
}

export function keyResultEditFromWire(body: z.output<typeof keyResultChange>): KeyResultEdit {
  const { title, weight, measure, position } = body;
  return { title, weight, measure, position, move: moveFromWire(body) };
}

function moveFromWire(body: z.output<typeof keyResultChange>): KeyResultMove {
  const { progress, current, status, status_reason: statusReason } = body;
  return { progress, current, status, statusReason };
}

export function runRequestFromWire(body: z.output<typeof newOkrRun>): OkrRunRequest {
  return {
    keyResultIds: body.key_result_ids,
    mode: body.mode,
    instructions: body.instructions ?? null,
    taskTemplate: body.task_template && okrTemplateFromWire(body.task_template),
  };
}

export function okrToWire(okr: OkrView): OkrWire {
  return {
    okr_id: okr.okrId,
    objective: okr.objective,
    description: okr.description,
    status: okr.status,
    owner: okr.owner,
    target_date: okr.targetDate,
    tags: [...okr.tags],
    task_template: okr.taskTemplate === null ? null : okrTemplateToWire(okr.taskTemplate),
    progress: progressOfObjective(okr.keyResults),
    key_results: okr.keyResults.map(keyResultToWire),
    open_run_id: okr.openRunId,
    decided_by: okr.decidedBy,
    decided_at: okr.decidedAt,
    decision_reason: okr.decisionReason,
    created_by: okr.createdBy,
    created_at: okr.createdAt,
    updated_at: okr.updatedAt,
    version: okr.version,
  };
}

export function keyResultToWire(keyResult: KeyResult): KeyResultWire {
  return {
    key_result_id: keyResult.keyResultId,
    okr_id: keyResult.okrId,
    title: keyResult.title,
    position: keyResult.position,
    weight: keyResult.weight,
    measure: keyResult.measure,
    current: keyResult.current,
    progress: keyResult.progress,
    status: keyResult.status,
    status_reason: keyResult.statusReason,
    updated_at: keyResult.updatedAt,
  };
}

export function okrRunToWire(run: OkrRun): OkrRunWire {
  return {
    run_id: run.runId,
    okr_id: run.okrId,
    status: run.status,
    mode: run.mode,
    items: run.items.map((item) => ({
      key_result_id: item.keyResultId,
      task_id: item.taskId,
      status: item.status,
      summary: item.summary,
      evidence: [...item.evidence],
      progress_before: item.progressBefore,
      progress_after: item.progressAfter,
    })),
    instructions: run.instructions,
    created_by: run.createdBy,
    created_at: run.createdAt,
    ended_at: run.endedAt,
    error: run.error,
  };
}
