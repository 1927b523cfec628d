// A dialog over the page; on a phone it rises from the lower edge. Focus, Escape and return are those of Base UI.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import type { DialogProps } from './dialog.tsx';

export function DialogPopup(props: DialogProps): ReactNode {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => (open ? undefined : props.onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-ink/30" />
        <Base.Popup
          initialFocus={props.initialFocus}
          role={props.alert === true ? 'alertdialog' : 'dialog'}
          className={`fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-sm border border-edge bg-paper p-5 shadow-xl outline-none md:inset-x-auto md:top-[12vh] md:bottom-auto md:left-1/2 md:max-h-[80dvh] md:w-full md:-translate-x-1/2 md:rounded-sm ${props.wide === true ? 'md:max-w-3xl' : 'md:max-w-lg'}`}
        >
          <Base.Title className="mb-3 text-xl font-bold">{props.title}</Base.Title>
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
