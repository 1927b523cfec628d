// The state of a worker, with the age of its last heartbeat.
import type { ReactNode } from 'react';
import type { Worker } from '../../data/fleet/fleet.ts';
import { workerSignals, workerStateOf } from '../../data/fleet/worker-state.ts';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { fleetWords as words } from '../../words/service/en-fleet.ts';

export function WorkerMark({ worker }: { readonly worker: Worker }): ReactNode {
  const state = workerStateOf(worker);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <SignalMark signal={workerSignals[state]} word={words.states[state]} />
      <span className="text-sm text-soft">
        <span className="sr-only">{words.heartbeat}</span> <Ago at={worker.last_heartbeat} />
      </span>
    </span>
  );
}
