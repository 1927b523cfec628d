// The dialogs of an objective: decide about it, change it, run it, delete it.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { CheckBox, SelectField, TextArea, TextField } from '../../parts/controls/field.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { FormDialog } from './form-dialog.tsx';
import { KeyResultForm } from './key-result-dialogs.tsx';
import type { Objective } from './objective-data.ts';
import {
  addKeyResult,
  cancelObjectiveRun,
  changeObjective,
  deleteObjective,
  startObjectiveRun,
} from './objective-actions.ts';
import { emptyKeyResult, keyResultBody, objectiveChange, objectiveDraftOf } from './objective-draft.ts';
import { ObjectiveForm } from './objective-form.tsx';
import type { ObjectiveDialog } from './use-objective-actions.ts';

interface DialogProps {
  readonly okr: Objective;
  readonly onClose: () => void;
}

export function ObjectiveDialogs({
  dialog,
  ...props
}: DialogProps & { readonly dialog: ObjectiveDialog | undefined }): ReactNode {
  const { okr, onClose } = props;
  switch (dialog) {
    case 'approve':
    case 'deny':
      return <DecideDialog {...props} decision={dialog} />;
    case 'run':
      return <RunDialog {...props} />;
    case 'edit':
      return (
        <ObjectiveForm
          title={words.editTitle}
          initial={objectiveDraftOf(okr)}
          submit={words.save}
          onClose={onClose}
          onSave={async (draft) => {
            await changeObjective(okr.okr_id, objectiveChange(draft, okr), words.saved);
            onClose();
          }}
        />
      );
    case 'add':
      return (
        <KeyResultForm
          title={words.addKeyResult}
          initial={emptyKeyResult}
          submit={words.add}
          onClose={onClose}
          onSave={async (draft) => {
            await addKeyResult(okr.okr_id, keyResultBody(draft));
            onClose();
          }}
        />
      );
    case 'cancel-run':
      return <CancelRunDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
    case undefined:
      return null;
  }
}

const decisions = {
  approve: {
    status: 'approved',
    title: words.approveTitle,
    text: words.approveText,
    action: words.approve,
    told: words.approvedNow,
  },
  deny: { status: 'denied', title: words.denyTitle, text: words.denyText, action: words.deny, told: words.deniedNow },
} as const;

function DecideDialog({
  okr,
  decision,
  onClose,
}: DialogProps & { readonly decision: keyof typeof decisions }): ReactNode {
  const { status, title, text, action, told } = decisions[decision];
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={title}
      submit={action}
      danger={decision === 'deny'}
      isReady
      onClose={onClose}
      onSave={async () => {
        const because = reason.trim() === '' ? {} : { reason: reason.trim() };
        await changeObjective(okr.okr_id, { status, ...because, version: okr.version }, told);
        onClose();
      }}
    >
      {({ errorOf }) => (
        <>
          <p>{text}</p>
          <TextField label={words.reason} value={reason} onChange={setReason} error={errorOf('/reason')} autoFocus />
        </>
      )}
    </FormDialog>
  );
}

function RunDialog({ okr, onClose }: DialogProps): ReactNode {
  const open = okr.key_results.filter(({ status }) => status !== 'completed');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [mode, setMode] = useState<'parallel' | 'sequential'>('parallel');
  const [instructions, setInstructions] = useState('');
  // One key for the whole life of the form: a double click starts one run.
  const [key] = useState(() => crypto.randomUUID());
  const chosen = open.filter(({ key_result_id }) => !left.has(key_result_id));
  const toggle = (id: string, isChosen: boolean): void =>
    setLeft((before) => (isChosen ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id])));
  return (
    <FormDialog
      title={words.runTitle}
      submit={words.start}
      isReady={chosen.length > 0}
      onClose={onClose}
      onSave={async () => {
        const body = {
          mode,
          key_result_ids: chosen.map(({ key_result_id }) => key_result_id),
          ...(instructions.trim() !== '' && { instructions }),
        };
        await startObjectiveRun(okr.okr_id, body, key);
        onClose();
      }}
    >
      {({ errorOf }) => (
        <>
          <p>{words.runText(open.length)}</p>
          <fieldset className="grid gap-1">
            <legend className="mb-1 text-sm font-semibold">{words.chosen}</legend>
            {open.map(({ key_result_id: id, title }) => (
              <CheckBox
                key={id}
                label={cleanTitle(title)}
                checked={!left.has(id)}
                onChange={(isChosen) => toggle(id, isChosen)}
              />
            ))}
          </fieldset>
          <SelectField
            label={words.fields.mode}
            value={mode}
            onChange={setMode}
            choices={(['parallel', 'sequential'] as const).map((value) => ({ value, label: words.modes[value] }))}
          />
          <TextArea
            label={words.fields.instructions}
            hint={words.hints.instructions}
            value={instructions}
            onChange={setInstructions}
            error={errorOf('/instructions')}
            autoFocus
          />
        </>
      )}
    </FormDialog>
  );
}

function CancelRunDialog({ okr, onClose }: DialogProps): ReactNode {
  const { okr_id: id, open_run_id: runId } = okr;
  return (
    <AskFirst
      title={words.cancelRunTitle}
      text={words.cancelRunText}
      keep={words.keepIt}
      action={words.cancelRun}
      onClose={onClose}
      onDo={async () => {
        if (runId !== null) await cancelObjectiveRun(id, runId);
      }}
    />
  );
}

function RemoveDialog({ okr, onClose }: DialogProps): ReactNode {
  const navigate = useNavigate();
  return (
    <AskFirst
      title={words.removeTitle}
      text={words.removeText}
      keep={words.keepIt}
      action={words.remove}
      onClose={onClose}
      onDo={async () => {
        await deleteObjective(okr.okr_id);
        await navigate({ to: '/v1/monitor/objectives' });
        await queryClient.invalidateQueries({ queryKey: ['objectives'] });
      }}
    />
  );
}
