// A button: primary, plain, danger or quiet; disabled with a reason; busy.
import type { ReactNode } from 'react';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  /** Why the button does nothing now. It stays in the order of Tab, so that the reason can be read. */
  readonly disabledReason?: string | undefined;
  readonly busy?: boolean;
  readonly pressed?: boolean;
  readonly label?: string;
  readonly className?: string;
  readonly autoFocus?: boolean;
  readonly keys?: string;
}

const shapes = {
  plain: 'border-edge bg-paper text-ink hover:bg-sunk aria-pressed:bg-sunk aria-pressed:border-accent',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-bad bg-paper text-bad hover:bg-sunk',
  quiet: 'border-transparent text-ink hover:bg-sunk aria-pressed:bg-sunk',
} as const;

/** The classes of a button, for a link that looks like one. @param isIcon it shows an icon alone, and is a square */
export function buttonClass(kind: keyof typeof shapes = 'plain', isIcon = false): string {
  return `inline-flex min-h-(--control) items-center justify-center gap-1.5 rounded-sm border text-sm font-semibold aria-disabled:opacity-60 aria-disabled:cursor-not-allowed ${isIcon ? 'min-w-(--control)' : 'px-3 py-1'} ${shapes[kind]}`;
}

export function Button(props: ButtonProps): ReactNode {
  const { kind = 'plain', type = 'button', disabledReason, busy = false, onClick } = props;
  const isOff = disabledReason !== undefined || busy;
  return (
    <button
      type={type}
      className={`${buttonClass(kind)} ${props.className ?? ''}`}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      aria-pressed={props.pressed}
      aria-label={props.label}
      aria-keyshortcuts={props.keys}
      title={disabledReason}
      autoFocus={props.autoFocus}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {props.children}
      {disabledReason === undefined ? null : <span className="sr-only">{`(${disabledReason})`}</span>}
    </button>
  );
}
