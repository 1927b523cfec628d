// The menu behind a button, by Base UI.
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import type { MenuProps } from './menu.tsx';

export function MenuPopup({
  label,
  children,
  entries,
  kind = 'plain',
  isIcon,
  open,
  onOpenChange,
  isOpenAtFirst,
}: MenuProps & {
  /** Without `open` alone. */
  readonly isOpenAtFirst: boolean;
}): ReactNode {
  return (
    <Base.Root open={open} defaultOpen={isOpenAtFirst} onOpenChange={onOpenChange} modal={false}>
      <Base.Trigger className={buttonClass(kind, isIcon)} aria-label={children === undefined ? undefined : label}>
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
