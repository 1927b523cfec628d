// Samples of states of views: errors, nothing, waiting, notices, tables, dialogs.
import { useState, type ReactNode } from 'react';
import { AskFirst } from '../parts/controls/ask-first.tsx';
import { Button } from '../parts/controls/button.tsx';
import { CodeLine } from '../parts/controls/code-line.tsx';
import { Dialog, DialogActions } from '../parts/controls/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Empty } from '../parts/states/empty.tsx';
import { Failure } from '../parts/states/failure.tsx';
import { Loading } from '../parts/states/loading.tsx';
import { notify, notifyError } from '../parts/states/notices.tsx';
import { DataTable } from '../parts/table.tsx';
import { sampleError, samples } from './samples.ts';

const nothing = (): void => undefined;
const errors = {
  refused: sampleError(409, 'question_changed', 'The question was answered by maria 3 s ago.'),
  busy: sampleError(503, 'unavailable', 'The database is away.', 3_600),
  network: new TypeError('Failed to fetch'),
} as const;

export function Failures(): ReactNode {
  return (
    <>
      <Failure error={errors.refused} onRetry={nothing} />
      <Failure error={errors.busy} onRetry={nothing} />
      <Failure error={errors.network} />
      <Empty text={samples.hint}>
        <CodeLine text={samples.command} copyLabel="Copy" copiedLabel="Copied" />
      </Empty>
      <div className="flex gap-2">
        <Button onClick={() => notify(samples.short)}>{'Notice'}</Button>
        <Button onClick={() => notifyError(errors.refused)}>{'Error notice'}</Button>
      </div>
    </>
  );
}

export function WaitingSamples(): ReactNode {
  return <Loading rows={3} onCancel={nothing} />;
}

const rows = [
  { name: 'build-7', slots: '2 of 4', cost: '$1.20' },
  { name: samples.long, slots: '0 of 1', cost: 'unpriced' },
];

export function Tables(): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DataTable
        label="Workers"
        rows={rows}
        rowKey={({ name }) => name}
        grid="md:grid-cols-[minmax(0,1fr)_auto_auto]"
        columns={[
          { id: 'name', head: 'name', cell: ({ name }) => name },
          { id: 'slots', head: 'slots', cell: ({ slots }) => slots },
          { id: 'cost', head: 'cost', cell: ({ cost }) => cost, atEnd: true },
        ]}
        foot={{ name: 'all', slots: '2 of 5', cost: '$1.20' }}
      />
      <Facts facts={rows.map(({ name, slots }) => ({ name: slots, value: name }))} />
    </div>
  );
}

export function Dialogs(): ReactNode {
  const [open, setOpen] = useState<'plain' | 'ask'>();
  const close = (): void => setOpen(undefined);
  return (
    <div className="flex gap-2">
      <Button onClick={() => setOpen('plain')}>{'Open dialog'}</Button>
      <Button onClick={() => setOpen('ask')}>{'Ask first'}</Button>
      <Dialog title={samples.short} open={open === 'plain'} onClose={close}>
        <p>{samples.hint}</p>
        <DialogActions>
          <Button onClick={close}>{'Close'}</Button>
          <Button kind="primary" onClick={close}>
            {'Send'}
          </Button>
        </DialogActions>
      </Dialog>
      {open === 'ask' ? (
        <AskFirst
          title="Cancel task"
          text={samples.hint}
          keep="Keep it"
          action="Cancel task"
          onClose={close}
          onDo={() => Promise.reject(errors.refused)}
        />
      ) : null}
    </div>
  );
}
