// Asks before a worker is drained.
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Worker } from '../../data/fleet/fleet.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';

export function DrainDialog({ worker, onClose }: { readonly worker: Worker; readonly onClose: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const drain = async (): Promise<void> => {
    setBusy(true);
    try {
      requireOnline();
      const path = { id: worker.worker_id };
      await dataOf(api().POST('/v1/agent/workers/{id}/drain', { params: { path }, body: {} }));
      notify(words.drained);
      await queryClient.invalidateQueries({ queryKey: ['workers'] });
    } catch (error) {
      notifyError(error);
    }
    onClose();
  };
  return (
    <Dialog title={words.drainTitle(cleanTitle(worker.name))} open onClose={onClose} alert>
      <p>{words.drainText}</p>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keepIt}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void drain()}>
          {words.drain}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
