// The place of text that has not arrived: nothing to see for 150 ms, then quiet bars, and after 8 s a way to stop waiting.
import { useEffect, useState, type ReactNode } from 'react';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';

const quietMs = 150;
const slowMs = 8_000;

/** @param onCancel stops waiting */
export function Loading({ rows = 6, onCancel }: { readonly rows?: number; readonly onCancel?: () => void }): ReactNode {
  const isShown = useElapsed(quietMs);
  const isSlow = useElapsed(slowMs);
  if (!isShown) return <div aria-busy />;
  return (
    <div className="p-(--page)" aria-busy>
      <p className="sr-only" role="status">
        {words.loading}
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className={`mb-3 h-3 rounded-sm bg-sunk ${row % 3 === 0 ? 'w-3/4' : row % 3 === 1 ? 'w-1/2' : 'w-2/3'}`}
        />
      ))}
      {isSlow ? (
        <p role="status" className="flex items-center gap-3 text-soft">
          {words.stillWaiting}
          {onCancel === undefined ? null : <Button onClick={onCancel}>{words.stopWaiting}</Button>}
        </p>
      ) : null}
    </div>
  );
}

function useElapsed(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
