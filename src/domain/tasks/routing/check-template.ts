// Checks a task template when it is stored, so that its tasks are not refused later.
import { pendingCodebaseId } from '../../model/codebase.ts';
import { notFound } from '../../model/errors.ts';
import type { TaskTemplate } from '../../model/task/task-template.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { EgressRule } from '../../ports/egress.ts';
import { invalidField } from './invalid-field.ts';
import { isReservedLabel, reservedLabelMessage } from './reserved-labels.ts';
import { checkWebhookUrl } from './target-url.ts';

/** Room is left for the ids that the component adds. */
const maxMetadataBytes = 15 * 1024;

/** @throws DomainError invalid */
export function checkTaskTemplate(
  { egress }: { readonly egress: EgressRule },
  template: Omit<TaskTemplate, 'prompt'>,
): void {
  if (template.codebaseId === pendingCodebaseId) {
    throw invalidField('/task_template/codebase_id', `${pendingCodebaseId} is reserved for registrations`);
  }
  if (template.requiredCapabilities?.some(isReservedLabel) === true) {
    throw invalidField('/task_template/required_capabilities', reservedLabelMessage);
  }
  if (Buffer.byteLength(JSON.stringify(template.metadata ?? {})) > maxMetadataBytes) {
    throw invalidField('/task_template/metadata', 'may be at most 15 KiB as JSON');
  }
  checkWebhookUrl(egress, template.webhookUrl ?? null);
}

/** @throws DomainError not_found for a codebase or worker that does not exist */
export async function requireTemplateTargets(
  rows: Rows,
  { codebaseId, targetWorkerId }: Omit<TaskTemplate, 'prompt'>,
): Promise<void> {
  if (codebaseId !== undefined && (await rows.codebases.find(codebaseId)) === undefined) throw notFound('codebase');
  if (targetWorkerId !== undefined && (await rows.workers.find(targetWorkerId)) === undefined) throw notFound('worker');
}
