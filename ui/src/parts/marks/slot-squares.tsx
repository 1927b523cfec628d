// The slots of a worker as squares: busy ones are filled.
import type { ReactNode } from 'react';

const drawn = 16;

/** @param label the same in words. More than sixteen slots stand in the label alone. */
export function SlotSquares({
  busy,
  slots,
  label,
}: {
  readonly busy: number;
  readonly slots: number;
  readonly label: string;
}): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {slots > drawn ? null : (
        <span aria-hidden className="inline-flex flex-wrap gap-0.5">
          {Array.from({ length: slots }, (_, slot) => (
            <span
              key={slot}
              className={`size-3 border ${slot < busy ? 'border-running bg-running' : 'border-edge bg-transparent'}`}
            />
          ))}
        </span>
      )}
      <span className="text-sm whitespace-nowrap text-soft">{label}</span>
    </span>
  );
}
