// Adds a codebase by its path or address: all workers are asked, or one is bound to it at once.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { workersQuery, type Codebase } from '../../data/fleet/fleet.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { SelectField, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { useMe } from '../../session/use-me.ts';
import { cleanTitle } from '../../text/clean.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';

export interface AddDialogProps {
  readonly onClose: () => void;
  /** A task asks the workers: this one. */
  readonly onPending: (taskId: string) => void;
}

interface NewCodebase {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly worker: string;
  readonly mode: Codebase['workspace_mode'] | '';
}

const empty: NewCodebase = { name: '', path: '', description: '', worker: '', mode: '' };

export function AddDialog({ onClose, onPending }: AddDialogProps): ReactNode {
  const [draft, setDraft] = useState(empty);
  const [error, setError] = useState<unknown>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const set = (change: Partial<NewCodebase>): void => setDraft((before) => ({ ...before, ...change }));
  const add = async (): Promise<void> => {
    setTried(true);
    if (isBusy || draft.name.trim() === '' || draft.path.trim() === '') return;
    setBusy(true);
    try {
      const answer = await register(draft, key);
      if ('task_id' in answer) return onPending(answer.task_id);
      notify(words.added(cleanTitle(answer.codebase.name)));
      await queryClient.invalidateQueries({ queryKey: ['codebases'] });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  return (
    <Dialog title={words.addTitle} open onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          label={words.fields.path}
          hint={words.pathHint}
          value={draft.path}
          onChange={(path) => set({ path, name: draft.name === nameOf(draft.path) ? nameOf(path) : draft.name })}
          error={errorOf('/path') ?? (isTried && draft.path.trim() === '' ? words.pathMissing : undefined)}
          autoFocus
          mono
        />
        <TextField
          label={words.fields.name}
          value={draft.name}
          onChange={(name) => set({ name })}
          error={errorOf('/name') ?? (isTried && draft.name.trim() === '' ? words.nameMissing : undefined)}
        />
        <TextField
          label={words.fields.description}
          value={draft.description}
          onChange={(description) => set({ description })}
          error={errorOf('/description')}
        />
        <div className="grid gap-3 md:grid-cols-2">
          <WorkerField value={draft.worker} onChange={(worker) => set({ worker })} />
          <SelectField
            label={words.fields.mode}
            value={draft.mode}
            onChange={(mode) => set({ mode })}
            choices={[
              { value: '', label: words.modeDefault },
              { value: 'worktree', label: words.modes.worktree },
              { value: 'in_place', label: words.modes.in_place },
            ]}
          />
        </div>
        <p className="text-sm text-soft">{words.addHint}</p>
        {error === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(error)}
          </p>
        )}
        <DialogActions>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function WorkerField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (worker: string) => void;
}): ReactNode {
  const mayRead = useMe()?.permissions.includes('workers:read') === true;
  const { data: workers = [] } = useQuery({ ...workersQuery(), enabled: mayRead });
  const online = workers.filter(({ status }) => status === 'active');
  return (
    <SelectField
      label={words.fields.worker}
      value={value}
      onChange={onChange}
      choices={[
        { value: '', label: words.askAll },
        ...online.map(({ worker_id, name }) => ({ value: worker_id, label: cleanTitle(name) })),
      ]}
    />
  );
}

async function register({ name, path, description, worker, mode }: NewCodebase, key: string) {
  requireOnline();
  const body = {
    name: name.trim(),
    path: path.trim(),
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(worker !== '' && { worker_id: worker }),
    ...(mode !== '' && { workspace_mode: mode }),
  };
  const params = { header: { 'Idempotency-Key': key } };
  return dataOf(api().POST('/v1/agent/codebases', { params, body }));
}

/** The last part of a path or address: most people name a codebase by its folder. */
function nameOf(path: string): string {
  const last = path.trim().replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.git$/, '');
}
