// What can be done with a schedule, as its header, the palette and the keys offer it.
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useActions, type Action } from '../../keys/actions.ts';
import { notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import type { Schedule } from './schedule-data.ts';
import { changeSchedule, runSchedule } from './schedule-actions.ts';

/** Why this person may make and change no schedule; undefined: it may. A schedule creates tasks later. */
export function useMayWrite(): string | undefined {
  const ofSchedules = useLack('cronjobs:write');
  const ofTasks = useLack('tasks:write');
  return ofSchedules ?? ofTasks;
}

export interface ScheduleAction extends Action {
  readonly kind: 'plain' | 'danger' | 'primary';
}

export interface ScheduleActions {
  readonly actions: readonly ScheduleAction[];
  readonly isRemoving: boolean;
  readonly closeDialog: () => void;
}

export function useScheduleActions({ cronjob_id: id, enabled }: Schedule): ScheduleActions {
  const navigate = useNavigate();
  const lack = useMayWrite();
  const lackDelete = useLack('cronjobs:delete');
  const [isRemoving, setRemoving] = useState(false);
  const actions = useMemo((): readonly ScheduleAction[] => {
    const shared = { group: 'page', kind: 'plain', disabledReason: lack } as const;
    const turn = (): void =>
      void changeSchedule(id, { enabled: !enabled }, enabled ? words.disabledNow : words.enabledNow).catch(notifyError);
    return [
      {
        ...shared,
        id: 'schedule-run',
        kind: 'primary',
        label: words.runNow,
        keys: 'r',
        run: () => void runSchedule(id, crypto.randomUUID()).catch(notifyError),
      },
      {
        ...shared,
        id: 'schedule-edit',
        label: words.edit,
        keys: 'e',
        run: () =>
          void navigate({
            to: '/v1/monitor/schedules/$id',
            params: { id },
            search: { edit: true },
            resetScroll: false,
          }),
      },
      { ...shared, id: 'schedule-turn', label: enabled ? words.disable : words.enable, keys: 'p', run: turn },
      {
        ...shared,
        id: 'schedule-remove',
        kind: 'danger',
        label: words.remove,
        disabledReason: lackDelete,
        run: () => setRemoving(true),
      },
    ];
  }, [id, enabled, lack, lackDelete, navigate]);
  useActions(actions);
  return { actions, isRemoving, closeDialog: () => setRemoving(false) };
}
