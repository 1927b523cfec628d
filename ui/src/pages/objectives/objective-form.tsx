// The form of a new or changed objective.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { codebasesQuery } from '../../data/fleet/fleet.ts';
import { SelectField, TextArea, TextField } from '../../parts/controls/field.tsx';
import { useLack } from '../../session/use-me.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { FormDialog } from './form-dialog.tsx';
import type { ObjectiveDraft } from './objective-draft.ts';

export interface ObjectiveFormProps {
  readonly title: string;
  readonly initial: ObjectiveDraft;
  readonly submit: string;
  readonly onClose: () => void;
  readonly onSave: (draft: ObjectiveDraft) => Promise<void>;
}

export function ObjectiveForm({ title, initial, submit, onClose, onSave }: ObjectiveFormProps): ReactNode {
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<ObjectiveDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const isReady = draft.objective.trim() !== '';
  return (
    <FormDialog title={title} submit={submit} isReady={isReady} onClose={onClose} onSave={() => onSave(draft)} wide>
      {({ isTried, errorOf }) => (
        <>
          <TextArea
            label={words.fields.objective}
            rows={2}
            value={draft.objective}
            onChange={(objective) => set({ objective })}
            error={errorOf('/objective') ?? (isTried && !isReady ? words.objectiveMissing : undefined)}
            autoFocus
          />
          <TextArea
            label={words.fields.description}
            rows={3}
            value={draft.description}
            onChange={(description) => set({ description })}
            error={errorOf('/description')}
          />
          <div className="grid gap-4 md:grid-cols-3">
            <TextField
              label={words.fields.owner}
              hint={words.hints.owner}
              value={draft.owner}
              onChange={(owner) => set({ owner })}
              error={errorOf('/owner')}
            />
            <TextField
              label={words.fields.targetDate}
              type="date"
              value={draft.targetDate}
              onChange={(targetDate) => set({ targetDate })}
              error={errorOf('/target_date')}
            />
            <TextField
              label={words.fields.tags}
              hint={words.hints.tags}
              value={draft.tags}
              onChange={(tags) => set({ tags })}
              error={errorOf('/tags')}
            />
          </div>
          <div className="grid gap-4 md:grid-cols-2">
            <CodebaseField value={draft.codebase} onChange={(codebase) => set({ codebase })} />
            <TextField
              label={words.fields.agent}
              value={draft.agent}
              onChange={(agent) => set({ agent })}
              error={errorOf('/task_template/agent_type')}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}

function CodebaseField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (codebase: string) => void;
}): ReactNode {
  const mayRead = useLack('codebases:read') === undefined;
  const { data: codebases = [] } = useQuery({ ...codebasesQuery(), enabled: mayRead });
  const others = codebases.filter(({ codebase_id }) => codebase_id !== 'global');
  return (
    <SelectField
      label={words.fields.codebase}
      value={value}
      onChange={onChange}
      choices={[
        { value: '', label: words.anyCodebase },
        ...others.map(({ codebase_id, name }) => ({ value: codebase_id, label: name })),
        // One that is gone, or that this person may not list, stays chosen.
        ...(value === '' || others.some(({ codebase_id }) => codebase_id === value) ? [] : [{ value, label: value }]),
      ]}
    />
  );
}
