// The files that a change touched, as one line for agents. runs-9.
import { plainText } from '../../../lib/text/plain-text.ts';
import type { ChangedFile } from '../../model/run/step.ts';

const mostNamed = 30;
const mostChars = 1_500;

/** `src/a.ts (+3 -1), src/b.ts (added, +10)`; '' without files */
export function describeChangedFiles(files: readonly ChangedFile[]): string {
  const named: string[] = [];
  let left = mostChars;
  for (const file of files.slice(0, mostNamed)) {
    const text = describeFile(file);
    left -= text.length + 2;
    if (left < 0) break;
    named.push(text);
  }
  const others = files.length - named.length;
  return `${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}

function describeFile({ path, status, added, removed }: ChangedFile): string {
  const lines = added === null || removed === null ? 'binary' : `+${added} -${removed}`;
  const name = plainText(path).replaceAll(/\s+/g, ' ').slice(0, 300);
  return `${name} (${status === 'modified' ? '' : `${status}, `}${lines})`;
}
