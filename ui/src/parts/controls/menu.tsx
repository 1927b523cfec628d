// A button with a menu of actions. The menu itself is loaded after the page has been painted.
import { lazy, Suspense, useState, type ReactNode } from 'react';
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
  /** The content of the button; default: the label. */
  readonly children?: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly kind?: 'plain' | 'quiet';
  /** The button shows an icon alone. */
  readonly isIcon?: boolean;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

const MenuPopup = lazy(async () => ({ default: (await import('./menu-popup.tsx')).MenuPopup }));

export function Menu(props: MenuProps): ReactNode {
  const { label, children, kind = 'plain', isIcon, onOpenChange } = props;
  // A click that comes before the menu is loaded opens it then.
  const [isAsked, setAsked] = useState(false);
  const inert = (
    <button
      type="button"
      className={buttonClass(kind, isIcon)}
      aria-label={children === undefined ? undefined : label}
      aria-haspopup="menu"
      onClick={() => {
        setAsked(true);
        onOpenChange?.(true);
      }}
    >
      {children ?? label}
    </button>
  );
  return (
    <Suspense fallback={inert}>
      <MenuPopup {...props} isOpenAtFirst={isAsked} />
    </Suspense>
  );
}
