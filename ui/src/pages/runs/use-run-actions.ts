// The actions on a run in its state, as its header, the palette and the keys offer them.
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { resumeRun, retryRun } from '../../data/runs/run-actions.ts';
import { isRunEnded, type Run } from '../../data/runs/runs.ts';
import { useActions, type Action } from '../../keys/actions.ts';
import { notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

export type RunDialog = 'cancel' | 'pause' | 'tell';

export interface RunAction extends Action {
  readonly kind: 'plain' | 'danger';
}

export interface RunActions {
  readonly actions: readonly RunAction[];
  readonly dialog: RunDialog | undefined;
  readonly closeDialog: () => void;
}

export function useRunActions({ run_id: id, status }: Run): RunActions {
  const navigate = useNavigate();
  const lack = useLack('ralph:write');
  const [dialog, setDialog] = useState<RunDialog>();
  const isEnded = isRunEnded({ status });
  const actions = useMemo((): readonly RunAction[] => {
    const shared = { group: 'page', disabledReason: lack, kind: 'plain' } as const;
    if (isEnded) {
      const show = (next: string): Promise<void> => navigate({ to: '/dashboard/ralph/$id', params: { id: next } });
      const retry = (): void => void retryRun(id).then(show).catch(notifyError);
      return [{ ...shared, id: 'run-retry', label: words.retry, keys: 'r', run: retry }];
    }
    return [
      status === 'paused'
        ? {
            ...shared,
            id: 'run-resume',
            label: words.resume,
            keys: 'p',
            run: () => void resumeRun(id).catch(notifyError),
          }
        : { ...shared, id: 'run-pause', label: words.pause, keys: 'p', run: () => setDialog('pause') },
      { ...shared, id: 'run-tell', label: words.tell, keys: 'm', run: () => setDialog('tell') },
      {
        ...shared,
        kind: 'danger',
        id: 'run-cancel',
        label: words.cancelRun,
        keys: 'c',
        run: () => setDialog('cancel'),
      },
    ];
  }, [id, isEnded, status, lack, navigate]);
  useActions(actions);
  return { actions, dialog, closeDialog: () => setDialog(undefined) };
}
