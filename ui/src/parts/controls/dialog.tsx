// A dialog over the page. It is loaded when the first one opens.
import { lazy, Suspense, type ReactNode, type RefObject } from 'react';

export interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The control that gets the focus first; default: the first one. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly wide?: boolean;
  /** `alertdialog`: what will be lost must be confirmed. */
  readonly alert?: boolean;
}

/** Loads what a dialog is drawn with, before one is opened. */
export async function loadDialogPopup(): Promise<{ default: typeof import('./dialog-popup.tsx').DialogPopup }> {
  return { default: (await import('./dialog-popup.tsx')).DialogPopup };
}

const DialogPopup = lazy(loadDialogPopup);

export function Dialog(props: DialogProps): ReactNode {
  if (!props.open) return null;
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}

/** The row of buttons that ends a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
