// A button with a menu of actions.
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly onSelect: () => void;
  readonly disabledReason?: string | undefined;
  readonly danger?: boolean;
  readonly keys?: string;
}

export interface MenuProps {
  readonly label: string;
  /** What the button shows; the label without it. */
  readonly children?: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly kind?: 'plain' | 'quiet';
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export function Menu({ label, children, entries, kind = 'plain', open, onOpenChange }: MenuProps): ReactNode {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Base.Trigger className={buttonClass(kind)} aria-label={children === undefined ? undefined : label}>
        {children ?? label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none" sideOffset={4} align="end">
          <Base.Popup className="max-h-[70dvh] min-w-44 overflow-y-auto rounded-sm border border-edge bg-paper py-1 shadow-lg outline-none">
            {entries.map((entry) => (
              <Base.Item
                key={entry.id}
                disabled={entry.disabledReason !== undefined}
                onClick={entry.onSelect}
                className={`flex min-h-(--row) items-center justify-between gap-4 px-3 text-sm outline-none data-disabled:opacity-60 data-highlighted:bg-sunk ${entry.danger === true ? 'text-bad' : 'text-ink'}`}
                title={entry.disabledReason}
              >
                <span>{entry.label}</span>
                {entry.keys === undefined ? null : <kbd className="font-mono text-xs text-soft">{entry.keys}</kbd>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
