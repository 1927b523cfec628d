// The menu that copies a thing as link, id, curl, command line or JSON.
import { Copy } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useActions } from '../../keys/actions.ts';
import { actingTenant } from '../../session/tenant.ts';
import { curlLine, type CallLine } from '../../text/curl.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { notify, notifyError } from '../states/notices.tsx';
import { copyText } from './copy.ts';
import { Menu, type MenuEntry } from './menu.tsx';

export interface Copies {
  /** Path of its page. */
  readonly link: string;
  readonly id: string;
  /** The call that reads it; absent where there is none. */
  readonly call?: CallLine | undefined;
  readonly command?: string | undefined;
  readonly json: unknown;
  /** Further texts to copy, such as the command for its branch. */
  readonly more?: readonly { readonly id: string; readonly label: string; readonly text: string }[];
}

/** The call as curl, with the tenant that is acted in. */
export function curlOf(call: CallLine): string {
  const tenant = actingTenant();
  return curlLine(
    tenant === undefined ? call : { ...call, headers: { 'x-tenant-id': tenant, ...call.headers } },
    location.origin,
  );
}

function copy(text: string): void {
  void copyText(text).then((done) => (done ? notify(words.copied) : notifyError(words.copyFailed)));
}

/** The entries of the menu. */
export function copyEntries({ link, id, call, command, json, more = [] }: Copies): readonly MenuEntry[] {
  return [
    { id: 'copy-link', label: words.copyLink, onSelect: () => copy(location.origin + withTenant(link)) },
    { id: 'copy-id', label: words.copyId, onSelect: () => copy(id) },
    ...(call === undefined ? [] : [{ id: 'copy-curl', label: words.copyCurl, onSelect: () => copy(curlOf(call)) }]),
    ...(command === undefined ? [] : [{ id: 'copy-cli', label: words.copyCli, onSelect: () => copy(command) }]),
    { id: 'copy-json', label: words.copyJson, onSelect: () => copy(JSON.stringify(json, null, 2)) },
    ...more.map(({ id: name, label, text }) => ({ id: name, label, onSelect: () => copy(text) })),
  ];
}

/** The link leads to the tenant that is acted in. */
function withTenant(link: string): string {
  const tenant = actingTenant();
  if (tenant === undefined) return link;
  return `${link}${link.includes('?') ? '&' : '?'}tenant=${encodeURIComponent(tenant)}`;
}

/** The menu in a row of a list: an icon, and no key. */
export function CopyIconMenu({ label, ...copies }: Copies & { readonly label: string }): ReactNode {
  return (
    <Menu kind="quiet" isIcon label={label} entries={copyEntries(copies)}>
      <Copy size={16} strokeWidth={1.75} aria-hidden />
    </Menu>
  );
}

/** The menu of a page, by the key Y. */
export function CopyMenu(copies: Copies): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useActions(
    useMemo(
      () => [{ id: 'copy-menu', label: words.copy, keys: 'Y', group: 'page' as const, run: () => setOpen(true) }],
      [],
    ),
  );
  return (
    <Menu label={words.copy} open={isOpen} onOpenChange={setOpen} entries={copyEntries(copies)}>
      <Copy size={16} strokeWidth={1.75} aria-hidden />
      {words.copy}
    </Menu>
  );
}
