// The buttons over the output: each is pressed or not.
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import type { OutputWords } from './output-words.ts';

type ToggleName = 'wrap' | 'plain' | 'times' | 'wordsOnly' | 'search';

export interface OutputToolbarProps {
  readonly words: OutputWords;
  readonly pressed: Readonly<Record<ToggleName, boolean>>;
  readonly toggle: Readonly<Record<ToggleName, () => void>>;
  readonly onDownload: () => void;
}

const buttons = [
  ['wrap', 'wrap', 'w'],
  ['times', 'times', 't'],
  ['wordsOnly', 'wordsOnly', 'o'],
  ['search', 'search', '/'],
  ['plain', 'plainText', undefined],
] as const;

export function OutputToolbar({ words, pressed, toggle, onDownload }: OutputToolbarProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1">
      {buttons.map(([name, word, keys]) => (
        <Button
          key={name}
          kind="quiet"
          pressed={pressed[name]}
          onClick={toggle[name]}
          {...(keys === undefined ? {} : { keys })}
        >
          {words[word]}
        </Button>
      ))}
      <Button kind="quiet" className="ms-auto" onClick={onDownload}>
        <Download size={16} strokeWidth={1.75} aria-hidden />
        {words.download}
      </Button>
    </div>
  );
}
