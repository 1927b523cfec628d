// The forms of a key result: what it is, and how far it is.
import { useState, type ReactNode } from 'react';
import { CheckBox, SelectField, TextField } from '../../parts/controls/field.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { FormDialog } from './form-dialog.tsx';
import type { KeyResult } from './objective-data.ts';
import { changeKeyResult, type KeyResultChange } from './objective-actions.ts';
import { isNumber, type KeyResultDraft } from './objective-draft.ts';

export interface KeyResultFormProps {
  readonly title: string;
  readonly initial: KeyResultDraft;
  readonly submit: string;
  readonly onClose: () => void;
  readonly onSave: (draft: KeyResultDraft) => Promise<void>;
}

export function KeyResultForm({ title, initial, submit, onClose, onSave }: KeyResultFormProps): ReactNode {
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<KeyResultDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const isWayReady = draft.kind !== 'number' || (isNumber(draft.start) && isNumber(draft.target));
  const isReady = draft.title.trim() !== '' && isWayReady && isNumber(draft.weight);
  return (
    <FormDialog title={title} submit={submit} isReady={isReady} onClose={onClose} onSave={() => onSave(draft)}>
      {({ isTried, errorOf }) => (
        <>
          <TextField
            label={words.fields.title}
            value={draft.title}
            onChange={(text) => set({ title: text })}
            error={errorOf('/title') ?? (isTried && draft.title.trim() === '' ? words.titleMissing : undefined)}
            autoFocus
          />
          <SelectField
            label={words.fields.measure}
            value={draft.kind}
            onChange={(kind) => set({ kind })}
            error={errorOf('/measure')}
            choices={(['manual', 'number', 'milestone', 'tasks'] as const).map((value) => ({
              value,
              label: words.measures[value],
            }))}
          />
          {draft.kind === 'number' ? (
            <div className="grid grid-cols-3 gap-3">
              {(['start', 'target'] as const).map((end) => (
                <TextField
                  key={end}
                  label={words.fields[end]}
                  value={draft[end]}
                  onChange={(value) => set({ [end]: value })}
                  error={isTried && !isNumber(draft[end]) ? words.numberMissing : undefined}
                />
              ))}
              <TextField label={words.fields.unit} value={draft.unit} onChange={(unit) => set({ unit })} />
            </div>
          ) : null}
          <TextField
            label={words.fields.weight}
            hint={words.hints.weight}
            type="number"
            value={draft.weight}
            onChange={(weight) => set({ weight })}
            error={errorOf('/weight') ?? (isTried && !isNumber(draft.weight) ? words.numberMissing : undefined)}
          />
        </>
      )}
    </FormDialog>
  );
}

type StatusChoice = KeyResult['status'] | '';

export function ReportForm({
  keyResult,
  onClose,
}: {
  readonly keyResult: KeyResult;
  readonly onClose: () => void;
}): ReactNode {
  const { measure, okr_id, key_result_id } = keyResult;
  const [value, setValue] = useState(
    String(measure.kind === 'number' ? (keyResult.current ?? '') : keyResult.progress),
  );
  const [isReached, setReached] = useState(keyResult.progress === 100);
  const [status, setStatus] = useState<StatusChoice>(keyResult.status === 'blocked' ? 'blocked' : '');
  const [reason, setReason] = useState(keyResult.status_reason ?? '');
  const needsValue = measure.kind === 'manual' || (measure.kind === 'number' && status === '');
  const statusOf: readonly StatusChoice[] =
    measure.kind === 'number' || measure.kind === 'tasks'
      ? ['', 'not-started', 'in-progress', 'blocked']
      : ['', 'not-started', 'in-progress', 'blocked', 'completed'];
  const bodyOf = (): KeyResultChange => ({
    ...(measure.kind === 'manual' && status !== 'completed' && { progress: Number(value) }),
    ...(measure.kind === 'milestone' && status !== 'completed' && { progress: isReached ? 100 : 0 }),
    ...(measure.kind === 'number' && value.trim() !== '' && { current: Number(value) }),
    ...(status !== '' && { status, status_reason: reason.trim() === '' ? null : reason.trim() }),
    // Without a status the one that was blocked goes on.
    ...(status === '' && keyResult.status === 'blocked' && { status: 'in-progress' as const }),
  });
  return (
    <FormDialog
      title={words.reportTitle(cleanTitle(keyResult.title))}
      submit={words.send}
      isReady={!needsValue || isNumber(value)}
      onClose={onClose}
      onSave={async () => {
        await changeKeyResult(okr_id, key_result_id, bodyOf(), words.reported);
        onClose();
      }}
    >
      {({ isTried, errorOf }) => (
        <>
          {measure.kind === 'manual' || measure.kind === 'number' ? (
            <TextField
              label={measure.kind === 'manual' ? words.fields.progress : words.fields.current}
              hint={
                measure.kind === 'number'
                  ? words.numberWay(measure.start, measure.target, measure.unit ?? '')
                  : undefined
              }
              value={value}
              onChange={setValue}
              error={
                errorOf('/progress') ??
                errorOf('/current') ??
                (isTried && needsValue && !isNumber(value) ? words.numberMissing : undefined)
              }
              autoFocus
            />
          ) : null}
          {measure.kind === 'milestone' ? (
            <CheckBox label={words.fields.reached} checked={isReached} onChange={setReached} />
          ) : null}
          {measure.kind === 'tasks' ? <p className="text-soft">{words.hints.tasksMeasure}</p> : null}
          <SelectField
            label={words.fields.status}
            value={status}
            onChange={setStatus}
            error={errorOf('/status')}
            choices={statusOf.map((choice) => ({
              value: choice,
              label: choice === '' ? words.keepStatus : words.keyResultStatuses[choice],
            }))}
          />
          {status === '' ? null : (
            <TextField
              label={words.fields.reason}
              value={reason}
              onChange={setReason}
              error={errorOf('/status_reason')}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
