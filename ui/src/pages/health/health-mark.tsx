// Whether a part of the service works.
import type { ReactNode } from 'react';
import { SignalMark, type Signal } from '../../parts/marks/signal-mark.tsx';
import { healthWords as words } from '../../words/service/en-health.ts';

const signals = { ok: 'ok', degraded: 'bad', off: 'off' } as const satisfies Record<string, Signal>;

export type HealthStatus = keyof typeof signals;

export function HealthMark({ status }: { readonly status: HealthStatus }): ReactNode {
  return <SignalMark signal={signals[status]} word={words.statuses[status]} />;
}
