// The button that makes a run of the current PRD, in the codebase of the chat or in one that is chosen.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRepositories } from '../../data/fleet/fleet.ts';
import { startRunOfChat, type PrdChat } from '../../data/runs/prd-chats.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { SelectField } from '../../parts/controls/field.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';

export function StartRun({ chat }: { readonly chat: PrdChat }): ReactNode {
  const navigate = useNavigate();
  const lack = useLack('ralph:write');
  const [isChoosing, setChoosing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const start = async (codebase: string | undefined): Promise<void> => {
    setBusy(true);
    try {
      // A version starts one run for one press: the next press is meant.
      const id = await startRunOfChat(chat.id, codebase, crypto.randomUUID());
      await navigate({ to: '/dashboard/ralph/$id', params: { id } });
    } catch (failure) {
      notifyError(failure);
      setBusy(false);
    }
  };
  const reason = chat.version === 0 ? words.noPrd : lack;
  return (
    <>
      <Button
        kind="primary"
        busy={isBusy}
        disabledReason={reason}
        onClick={() => (chat.codebase_id === null ? setChoosing(true) : void start(undefined))}
      >
        {words.startRun}
      </Button>
      {isChoosing ? <CodebaseDialog onClose={() => setChoosing(false)} onChoose={(id) => void start(id)} /> : null}
    </>
  );
}

interface CodebaseDialogProps {
  readonly onClose: () => void;
  readonly onChoose: (id: string) => void;
}

function CodebaseDialog({ onClose, onChoose }: CodebaseDialogProps): ReactNode {
  const codebases = useRepositories();
  const [chosen, setChosen] = useState<string>();
  const codebase = chosen ?? codebases[0]?.codebase_id ?? '';
  return (
    <Dialog title={words.chooseCodebase} open onClose={onClose}>
      <SelectField
        label={words.codebase}
        value={codebase}
        onChange={setChosen}
        choices={codebases.map(({ codebase_id, name }) => ({ value: codebase_id, label: name }))}
      />
      <DialogActions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button
          kind="primary"
          disabledReason={codebase === '' ? words.chooseCodebase : undefined}
          onClick={() => {
            onClose();
            onChoose(codebase);
          }}
        >
          {words.startRun}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
