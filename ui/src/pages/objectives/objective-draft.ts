// The forms of an objective and a key result as text, and the bodies of their calls.
import type { KeyResult, Objective } from './objective-data.ts';
import type { KeyResultChange, NewKeyResultBody, NewObjectiveBody, ObjectiveChange } from './objective-actions.ts';

export interface ObjectiveDraft {
  readonly objective: string;
  readonly description: string;
  readonly owner: string;
  readonly targetDate: string;
  readonly tags: string;
  readonly codebase: string;
  readonly agent: string;
}

export const emptyObjective: ObjectiveDraft = {
  objective: '',
  description: '',
  owner: '',
  targetDate: '',
  tags: '',
  codebase: '',
  agent: '',
};

export function objectiveDraftOf(okr: Objective): ObjectiveDraft {
  return {
    objective: okr.objective,
    description: okr.description ?? '',
    owner: okr.owner,
    targetDate: okr.target_date ?? '',
    tags: okr.tags.join(', '),
    codebase: okr.task_template?.codebase_id ?? '',
    agent: okr.task_template?.agent_type ?? '',
  };
}

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** @param before fields of the template that the form does not show stay as they are */
function templateOf(
  { codebase, agent }: ObjectiveDraft,
  before: Objective['task_template'],
): NonNullable<Objective['task_template']> | undefined {
  const { codebase_id: _codebase, agent_type: _agent, ...rest } = before ?? {};
  const template = {
    ...rest,
    ...(codebase !== '' && { codebase_id: codebase }),
    ...(agent.trim() !== '' && { agent_type: agent.trim() }),
  };
  return Object.keys(template).length === 0 ? undefined : template;
}

export function newObjectiveBody(draft: ObjectiveDraft): NewObjectiveBody {
  const template = templateOf(draft, null);
  return {
    objective: draft.objective.trim(),
    tags: tagsOf(draft.tags),
    ...(draft.description.trim() !== '' && { description: draft.description }),
    ...(draft.owner.trim() !== '' && { owner: draft.owner.trim() }),
    ...(draft.targetDate !== '' && { target_date: draft.targetDate }),
    ...(template !== undefined && { task_template: template }),
  };
}

export function objectiveChange(draft: ObjectiveDraft, okr: Objective): ObjectiveChange {
  const before = objectiveDraftOf(okr);
  const isTemplateChanged = draft.codebase !== before.codebase || draft.agent !== before.agent;
  return {
    objective: draft.objective.trim(),
    description: draft.description.trim() === '' ? null : draft.description,
    tags: tagsOf(draft.tags),
    target_date: draft.targetDate === '' ? null : draft.targetDate,
    ...(draft.owner.trim() !== '' && { owner: draft.owner.trim() }),
    // A template needs a permission of its own: it is sent when it has changed.
    ...(isTemplateChanged && { task_template: templateOf(draft, okr.task_template) ?? null }),
    version: okr.version,
  };
}

export interface KeyResultDraft {
  readonly title: string;
  readonly kind: KeyResult['measure']['kind'];
  readonly start: string;
  readonly target: string;
  readonly unit: string;
  readonly weight: string;
}

export const emptyKeyResult: KeyResultDraft = {
  title: '',
  kind: 'manual',
  start: '0',
  target: '100',
  unit: '',
  weight: '1',
};

export function keyResultDraftOf({ title, measure, weight }: KeyResult): KeyResultDraft {
  const way =
    measure.kind === 'number'
      ? { start: String(measure.start), target: String(measure.target), unit: measure.unit ?? '' }
      : {};
  return { ...emptyKeyResult, ...way, title, kind: measure.kind, weight: String(weight) };
}

export function keyResultBody(draft: KeyResultDraft): NewKeyResultBody {
  const { title, kind, start, target, unit, weight } = draft;
  const measure =
    kind === 'number'
      ? { kind, start: Number(start), target: Number(target), ...(unit.trim() !== '' && { unit: unit.trim() }) }
      : { kind };
  return { title: title.trim(), measure, weight: Number(weight) };
}

/** A measure that stays is not sent: it would restart the progress. */
export function keyResultChange(draft: KeyResultDraft, before: KeyResult): KeyResultChange {
  const { measure, ...body } = keyResultBody(draft);
  return JSON.stringify(measure) === JSON.stringify(keyResultBody(keyResultDraftOf(before)).measure)
    ? body
    : { ...body, measure };
}

export function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
