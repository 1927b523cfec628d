// The addresses that a line of output names. They are no links: a menu shows each whole before it opens.
import { useState, type ReactNode } from 'react';
import { plainOf } from '../../text/clean.ts';
import type { OutputLine } from '../../text/output/line-splitter.ts';
import { Menu } from '../controls/menu.tsx';
import type { OutputWords } from './output-words.ts';
import { shownCharacters } from './row-geometry.ts';

const address = /https?:\/\/[^\s"'<>`\u27E8\u27E9]+/g;
const mostAddresses = 10;

/** The http addresses of a text, each once; what ends a sentence is no part of one. */
export function addressesIn(text: string): readonly string[] {
  if (!text.includes('://')) return [];
  const found = Array.from(text.matchAll(address), ([match]) => match.replace(/[).,;:!?\]}]+$/, ''));
  return [...new Set(found)].filter((one) => URL.canParse(one)).slice(0, mostAddresses);
}

interface AddressMenuProps {
  readonly line: OutputLine;
  readonly number: number;
  readonly words: OutputWords;
}

/** Takes no room, so that the height of the line is what was computed. The menu is made when it is first opened. */
export function AddressMenu({ line, number, words }: AddressMenuProps): ReactNode {
  const [wasOpened, setOpened] = useState(false);
  const addresses = addressesIn(plainOf(line.text.slice(0, shownCharacters)));
  if (addresses.length === 0) return null;
  const icon = <span aria-hidden="true">↗</span>;
  return (
    <span className="absolute start-0.5 [&>button]:h-5 [&>button]:min-h-5 [&>button]:min-w-5 [&>button]:text-accent">
      {wasOpened ? (
        <OpenedMenu addresses={addresses} label={words.addresses(number)} words={words}>
          {icon}
        </OpenedMenu>
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={words.addresses(number)}
          className="relative after:absolute after:-inset-1"
          onClick={() => setOpened(true)}
        >
          {icon}
        </button>
      )}
    </span>
  );
}

interface OpenedMenuProps {
  readonly addresses: readonly string[];
  readonly label: string;
  readonly words: OutputWords;
  readonly children: ReactNode;
}

function OpenedMenu({ addresses, label, words, children }: OpenedMenuProps): ReactNode {
  const [isOpen, setOpen] = useState(true);
  return (
    <Menu
      kind="quiet"
      isIcon
      label={label}
      open={isOpen}
      onOpenChange={setOpen}
      entries={addresses.map((one) => ({
        id: one,
        label: words.openAddress(one),
        onSelect: () => void open(one, '_blank', 'noopener,noreferrer'),
      }))}
    >
      {children}
    </Menu>
  );
}
