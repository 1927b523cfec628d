// Asks before a codebase is removed; when tasks of it are open, it shows them.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, succeed } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Codebase } from '../../data/fleet/fleet.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { taskListQuery } from '../../data/tasks/task-lists.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { TaskTable } from '../../parts/task/task-table.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';

export interface RemoveDialogProps {
  readonly codebase: Codebase;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

const shownTasks = 20;

export function RemoveDialog({ codebase, onClose, onRemoved }: RemoveDialogProps): ReactNode {
  const { codebase_id: id, name } = codebase;
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      requireOnline();
      await succeed(api().DELETE('/v1/agent/codebases/{id}', { params: { path: { id } } }));
      notify(words.removed);
      onRemoved();
      await queryClient.invalidateQueries({ queryKey: ['codebases'] });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const isInUse = error instanceof ApiError && error.code === 'codebase_in_use';
  return (
    <Dialog title={words.removeTitle(cleanTitle(name))} open onClose={onClose} alert>
      <p>{words.removeText}</p>
      {error === undefined ? null : (
        <p role="alert" className="mt-2 text-bad">
          {isInUse ? words.inUse : failureText(error)}
        </p>
      )}
      {isInUse ? <OpenTasks id={id} /> : null}
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keepIt}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void remove()}>
          {words.removeDo}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function OpenTasks({ id }: { readonly id: string }): ReactNode {
  const { data = [] } = useQuery(
    taskListQuery({
      codebase_id: id,
      status: ['pending', 'running', 'needs_input'],
      steps: true,
      limit: shownTasks,
    }),
  );
  return (
    <div className="mt-2">
      <TaskTable tasks={data} label={words.openTasks} />
    </div>
  );
}
