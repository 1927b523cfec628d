// The dialog that begins a PRD chat: its name and the codebase that the assistant reads.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRepositories } from '../../../data/fleet/fleet.ts';
import { createChat } from '../../../data/runs/prd-chats.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../../parts/controls/dialog.tsx';
import { SelectField, TextField } from '../../../parts/controls/field.tsx';
import { failureText } from '../../../parts/states/failure.tsx';
import { prdWords as words } from '../../../words/runs/en-prd.ts';

export function NewChatDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const codebases = useRepositories();
  const [title, setTitle] = useState('');
  const [codebase, setCodebase] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    try {
      const id = await createChat({ title, ...(codebase !== '' && { codebase_id: codebase }) });
      await navigate({ to: '/dashboard/ralph/prd/$id', params: { id } });
    } catch (error) {
      setProblem(failureText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.newChat} open onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <TextField label={words.name} value={title} onChange={setTitle} error={problem} autoFocus />
        <SelectField
          label={words.codebase}
          hint={words.codebaseHint}
          value={codebase}
          onChange={setCodebase}
          choices={[
            { value: '', label: words.noCodebase },
            ...codebases.map(({ codebase_id, name }) => ({ value: codebase_id, label: name })),
          ]}
        />
        <DialogActions>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.begin}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
