// The sheet of keys: those of the current page, those that go somewhere, those that work everywhere.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDisplay } from '../display/display.ts';
import { useAllActions } from '../keys/actions.ts';
import { Dialog } from '../parts/controls/dialog.tsx';
import { KeyCap } from '../parts/marks/key-cap.tsx';
import { frameWords as words } from '../words/en-frame.ts';
import { printedKeys } from './printed-keys.ts';

const groups = ['page', 'everywhere', 'go'] as const;

export function KeySheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const actions = useAllActions();
  const { keys } = useDisplay();
  return (
    <Dialog title={words.keys} open onClose={onClose} wide>
      {keys ? null : (
        <p className="mb-3 text-ask">
          <Link to="/v1/monitor/settings/$part" params={{ part: 'display' }} onClick={onClose} className="underline">
            {words.keysOff}
          </Link>
        </p>
      )}
      <div className="grid gap-6 md:grid-cols-3">
        {groups.map((group) => (
          <section key={group}>
            <h2 className="mb-1 font-semibold">{words.keyGroups[group]}</h2>
            <dl className="text-sm">
              {actions
                .filter((action) => action.group === group && action.keys !== undefined)
                .map((action) => (
                  <div key={action.id} className="flex justify-between gap-3 py-0.5">
                    <dt>{action.label}</dt>
                    <dd>
                      <KeyCap keys={printedKeys(action.keys ?? '')} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
