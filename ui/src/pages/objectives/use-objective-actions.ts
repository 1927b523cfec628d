// What can be done with an objective in its status, as its header, the palette and the keys offer it.
import { useMemo, useState } from 'react';
import { useActions, type Action } from '../../keys/actions.ts';
import { notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import type { Objective } from './objective-data.ts';
import { changeObjective } from './objective-actions.ts';

export type ObjectiveDialog = 'approve' | 'deny' | 'run' | 'edit' | 'remove' | 'cancel-run' | 'add';

export interface ObjectiveAction extends Action {
  readonly kind: 'plain' | 'danger' | 'primary';
}

export interface ObjectiveActions {
  readonly actions: readonly ObjectiveAction[];
  readonly dialog: ObjectiveDialog | undefined;
  readonly openDialog: (dialog: ObjectiveDialog) => void;
  readonly closeDialog: () => void;
}

export function useObjectiveActions(okr: Objective): ObjectiveActions {
  const { okr_id: id, status, open_run_id: openRun, key_results: keyResults } = okr;
  const lack = useLack('okr:write');
  const lackTasks = useLack('tasks:write');
  const lackDelete = useLack('okr:delete');
  const [dialog, setDialog] = useState<ObjectiveDialog>();
  const isAllDone = keyResults.length > 0 && keyResults.every((keyResult) => keyResult.status === 'completed');
  const hasOpen = keyResults.some((keyResult) => keyResult.status !== 'completed');
  const actions = useMemo((): readonly ObjectiveAction[] => {
    const shared = { group: 'page', kind: 'plain', disabledReason: lack } as const;
    const dialogOf = (name: ObjectiveDialog, label: string, keys?: string): ObjectiveAction => ({
      ...shared,
      id: `objective-${name}`,
      label,
      ...(keys !== undefined && { keys }),
      run: () => setDialog(name),
    });
    const cannotRun = openRun === null ? (hasOpen ? undefined : words.nothingOpen) : words.runOpenReason;
    const run: ObjectiveAction = {
      ...dialogOf('run', words.startRun, 's'),
      kind: 'primary',
      disabledReason: lack ?? lackTasks ?? cannotRun,
    };
    const deny: ObjectiveAction = { ...dialogOf('deny', words.deny, 'd'), kind: 'danger' };
    const ended: readonly ObjectiveAction[] = [
      { ...dialogOf('remove', words.remove), kind: 'danger', disabledReason: lackDelete },
    ];
    const edit = dialogOf('edit', words.edit, 'e');
    switch (status) {
      case 'draft':
        return [{ ...dialogOf('approve', words.approve, 'a'), kind: 'primary' }, deny, edit, ...ended];
      case 'approved':
        return [run, deny, edit, ...ended];
      case 'running':
        return [
          run,
          ...(isAllDone
            ? [
                {
                  ...shared,
                  id: 'objective-complete',
                  label: words.complete,
                  run: () => void changeObjective(id, { status: 'completed' }, words.completedNow).catch(notifyError),
                },
              ]
            : []),
          deny,
          edit,
          ...(openRun === null ? ended : []),
        ];
      case 'completed':
      case 'denied':
        return [edit, ...ended];
    }
  }, [id, status, openRun, hasOpen, isAllDone, lack, lackTasks, lackDelete]);
  useActions(actions);
  return { actions, dialog, openDialog: setDialog, closeDialog: () => setDialog(undefined) };
}
