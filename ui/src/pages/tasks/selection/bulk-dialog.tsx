// The dialog before many tasks change: what the change would do, asked of the service, then the change.
import { useEffect, useState, type ReactNode } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { requireOnline } from '../../../data/tasks/task-actions.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../../parts/controls/dialog.tsx';
import { TextField } from '../../../parts/controls/field.tsx';
import { useLatest } from '../../../parts/use-latest.ts';
import { failureText } from '../../../parts/states/failure.tsx';
import { notify } from '../../../parts/states/notices.tsx';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { changeInBulk, type BulkAction, type BulkAnswer, type BulkTarget } from './bulk-change.ts';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const typingMs = 300;

export function BulkDialog({ action, target, onClose, onDone }: BulkDialogProps): ReactNode {
  const [text, setText] = useState('50');
  const [plan, setPlan] = useState<BulkAnswer>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const priority = action === 'priority' ? priorityOf(text) : undefined;
  const isWrong = action === 'priority' && priority === undefined;
  const send = (dry_run: boolean, signal?: AbortSignal): Promise<BulkAnswer> =>
    changeInBulk({ action, ...target, dry_run, ...(priority !== undefined && { priority }) }, signal);
  // The plan is asked for again only when the priority changes: the selection cannot, under a dialog.
  const latest = useLatest(send);
  useEffect(() => {
    setPlan(undefined);
    setProblem(undefined);
    if (isWrong) return;
    const changed = new AbortController();
    const ask = (): void => {
      latest.current(true, changed.signal).then(
        // An answer about an earlier priority is late.
        (answer) => (changed.signal.aborted ? undefined : setPlan(answer)),
        (error: unknown) => (changed.signal.aborted ? undefined : setProblem(failureText(error))),
      );
    };
    const timer = setTimeout(ask, priority === undefined ? 0 : typingMs);
    return () => {
      clearTimeout(timer);
      changed.abort();
    };
  }, [priority, isWrong, latest]);
  const carryOut = async (): Promise<void> => {
    setBusy(true);
    try {
      requireOnline();
      const { matched, results } = await send(false);
      notify(words.bulkDone(results.filter(({ ok }) => ok).length, matched));
      await queryClient.invalidateQueries();
      onDone();
      onClose();
    } catch (error) {
      setProblem(failureText(error));
      setBusy(false);
    }
  };
  const able = plan?.results.filter(({ ok }) => ok).length ?? 0;
  return (
    <Dialog title={words.bulkTitle[action]} open onClose={onClose} alert>
      {action === 'priority' ? (
        <TextField
          label={words.priorityLabel}
          type="number"
          value={text}
          onChange={setText}
          error={isWrong ? words.priorityWrong : undefined}
        />
      ) : null}
      {isWrong ? null : <Plan plan={plan} isAsked={problem === undefined} />}
      {problem === undefined ? null : (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keep}
        </Button>
        <Button kind="danger" busy={isBusy || plan === undefined} onClick={() => void carryOut()}>
          {words.bulkDo[action](able)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Plan({ plan, isAsked }: { readonly plan: BulkAnswer | undefined; readonly isAsked: boolean }): ReactNode {
  const able = plan?.results.filter(({ ok }) => ok).length ?? 0;
  const left = Map.groupBy(plan?.results.filter(({ ok }) => !ok) ?? [], ({ code }) => code ?? '');
  return (
    <div role="status" className="mt-2">
      {plan === undefined && isAsked ? <p>{words.checking}</p> : null}
      {plan === undefined ? null : <p>{words.bulkWill(able, plan.matched)}</p>}
      {[...left].map(([code, tasks]) => (
        <p key={code} className="text-soft">
          {words.bulkLeft(tasks.length, code)}
        </p>
      ))}
    </div>
  );
}

/** A whole number from 0 to 100; undefined for anything else. */
function priorityOf(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
}
