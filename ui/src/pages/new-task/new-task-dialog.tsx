// The form of a new task as a panel over any page.
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Dialog } from '../../parts/controls/dialog.tsx';
import { newTaskWords as words } from '../../words/tasks/en-new-task.ts';
import { readDraft } from './task-draft.ts';
import { NewTaskForm } from './new-task-form.tsx';

export function NewTaskDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  return (
    <Dialog title={words.title} open onClose={onClose} wide>
      <NewTaskForm
        initial={readDraft()}
        note={undefined}
        isPanel
        onCreated={(id) => {
          onClose();
          void navigate({ to: '/v1/monitor/tasks/$id', params: { id } });
        }}
      />
    </Dialog>
  );
}
