// The state of a changed file and its lines in few characters: `M +3 −1`.
import type { ReactNode } from 'react';
import { changesWords as words } from '../../../words/tasks/en-changes.ts';
import type { ChangedFile } from '../changed-file.ts';

export function StatusCounts({
  file: { status, added, removed },
}: {
  readonly file: Pick<ChangedFile, 'status' | 'added' | 'removed'>;
}): ReactNode {
  return (
    <span>
      {words.status[status]} {words.counts(added, removed)}
    </span>
  );
}
