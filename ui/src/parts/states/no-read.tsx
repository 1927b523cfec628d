// A page that the caller may not read: what it is, which permission it needs, and who can give it.
import type { ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { useMe } from '../../session/use-me.ts';
import { commonWords as words } from '../../words/en-common.ts';

/** @param title the page's own name */
export function NoRead({ title, permission }: { readonly title: string; readonly permission: string }): ReactNode {
  const roles = useMe()?.roles.join(', ') ?? words.unknown;
  return (
    <Page title={title}>
      <div className="max-w-[72ch] p-(--page)">
        <h2 className="mb-2 font-semibold">{words.noReadTitle}</h2>
        <p>{words.noRead(permission, roles)}</p>
      </div>
    </Page>
  );
}
