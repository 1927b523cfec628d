// The form of a new or changed schedule, with its next five times.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { codebasesQuery } from '../../data/fleet/fleet.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { CheckBox, SelectField, TextArea, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useLatest } from '../../parts/use-latest.ts';
import { useLack } from '../../session/use-me.ts';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import { faultOf, TimeList, useNextTimes } from './next-times.tsx';
import { presetOf, presets, type Preset, type ScheduleDraft } from './schedule-draft.ts';

export interface ScheduleFormProps {
  readonly title: string;
  readonly initial: ScheduleDraft;
  readonly submit: string;
  readonly onClose: () => void;
  /** Closes the form when it is done. What it throws is shown at its field, or below. */
  readonly onSave: (draft: ScheduleDraft) => Promise<void>;
}

interface FieldsProps {
  readonly draft: ScheduleDraft;
  readonly set: (change: Partial<ScheduleDraft>) => void;
  readonly errorOf: (path: string) => string | undefined;
}

export function ScheduleForm({ title, initial, submit, onClose, onSave }: ScheduleFormProps): ReactNode {
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<unknown>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const set = (change: Partial<ScheduleDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const times = useNextTimes(draft.cron, draft.timezone);
  const fault = faultOf(times);
  const save = async (): Promise<void> => {
    setTried(true);
    if (isBusy || draft.name.trim() === '' || draft.prompt.trim() === '') return;
    setBusy(true);
    try {
      await onSave(draft);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const latest = useLatest(save);
  useActions(
    useMemo(
      () => [
        { id: 'save', label: submit, keys: 'mod+Enter', group: 'page' as const, run: () => void latest.current() },
      ],
      [latest, submit],
    ),
  );
  const errorOf = (path: string): string | undefined =>
    (error instanceof ApiError ? error.fieldError(path) : undefined) ??
    (isTried && path === '/name' && draft.name.trim() === '' ? words.nameMissing : undefined) ??
    (isTried && path === '/task_template/prompt' && draft.prompt.trim() === '' ? words.promptMissing : undefined);
  const fields = { draft, set, errorOf };
  return (
    <Dialog title={title} open onClose={onClose} wide>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={words.fields.name}
          value={draft.name}
          onChange={(name) => set({ name })}
          error={errorOf('/name')}
          autoFocus
        />
        <div className="grid gap-4 md:grid-cols-2">
          <TimeFields {...fields} fault={fault} />
          <div role="status" className="rounded-sm border border-line bg-sunk p-3">
            <p className="mb-2 font-semibold">{words.nextTimes}</p>
            {times?.valid === true ? <TimeList times={times.next} timezone={draft.timezone.trim()} /> : null}
          </div>
        </div>
        <TextArea
          label={words.fields.prompt}
          value={draft.prompt}
          onChange={(prompt) => set({ prompt })}
          error={errorOf('/task_template/prompt')}
        />
        <PlaceFields {...fields} />
        <MoreFields {...fields} />
        {error === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(error)}
          </p>
        )}
        <DialogActions>
          <Button type="submit" kind="primary" busy={isBusy}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function TimeFields({
  draft,
  set,
  errorOf,
  fault,
}: FieldsProps & { readonly fault: ReturnType<typeof faultOf> }): ReactNode {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const choices: readonly Preset[] = ['hourly', 'nightly', 'weekdays', 'weekly', 'monthly', 'custom'];
  return (
    <div className="grid content-start gap-4">
      <SelectField
        label={words.fields.preset}
        value={presetOf(draft.cron)}
        onChange={(preset) => (preset === 'custom' ? undefined : set({ cron: presets[preset] }))}
        choices={choices.map((value) => ({ value, label: words.presets[value] }))}
      />
      <TextField
        label={words.fields.cron}
        hint={words.hints.cron}
        value={draft.cron}
        onChange={(cron) => set({ cron })}
        error={fault?.field === 'cron' ? fault.text : errorOf('/cron')}
        mono
      />
      <TextField
        label={words.fields.timezone}
        value={draft.timezone}
        onChange={(timezone) => set({ timezone })}
        list={zones}
        error={fault?.field === 'timezone' ? fault.text : errorOf('/timezone')}
      />
    </div>
  );
}

function PlaceFields({ draft, set, errorOf }: FieldsProps): ReactNode {
  const mayRead = useLack('codebases:read') === undefined;
  const { data: codebases = [] } = useQuery({ ...codebasesQuery(), enabled: mayRead });
  const others = codebases.filter(({ codebase_id }) => codebase_id !== 'global');
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <SelectField
        label={words.fields.codebase}
        value={draft.codebase}
        onChange={(codebase) => set({ codebase })}
        error={errorOf('/task_template/codebase_id')}
        choices={[
          { value: '', label: words.anyCodebase },
          ...others.map(({ codebase_id, name }) => ({ value: codebase_id, label: name })),
          // One that is gone, or that this person may not list, stays chosen.
          ...(draft.codebase === '' || others.some(({ codebase_id }) => codebase_id === draft.codebase)
            ? []
            : [{ value: draft.codebase, label: draft.codebase }]),
        ]}
      />
      <TextField
        label={words.fields.agent}
        value={draft.agent}
        onChange={(agent) => set({ agent })}
        error={errorOf('/task_template/agent_type')}
      />
    </div>
  );
}

function MoreFields({ draft, set, errorOf }: FieldsProps): ReactNode {
  return (
    <details className="rounded-sm border border-line px-3 py-2">
      <summary className="min-h-6 cursor-pointer font-semibold">{words.more}</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <SelectField
          label={words.fields.overlap}
          value={draft.overlap}
          onChange={(overlap) => set({ overlap })}
          choices={(['skip', 'allow', 'cancel_previous'] as const).map((value) => ({
            value,
            label: words.overlaps[value],
          }))}
        />
        <SelectField
          label={words.fields.catchUp}
          value={draft.catchUp}
          onChange={(catchUp) => set({ catchUp })}
          choices={(['last', 'all', 'none'] as const).map((value) => ({ value, label: words.catchUps[value] }))}
        />
        <TextField
          label={words.fields.jitter}
          type="number"
          hint={words.hints.jitter}
          value={draft.jitter}
          onChange={(jitter) => set({ jitter })}
          error={errorOf('/jitter_seconds')}
        />
        <TextField
          label={words.fields.description}
          value={draft.description}
          onChange={(description) => set({ description })}
          error={errorOf('/description')}
        />
        <CheckBox label={words.fields.enabled} checked={draft.enabled} onChange={(enabled) => set({ enabled })} />
      </div>
    </details>
  );
}
