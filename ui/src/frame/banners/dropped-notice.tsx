// Says once that a part of the address was not understood.
import { useEffect } from 'react';
import { notify } from '../../parts/states/notices.tsx';
import { hasDropped } from '../../search.ts';
import { useStore } from '../../store.ts';
import { commonWords } from '../../words/en-common.ts';

export function DroppedNotice(): null {
  const dropped = useStore(hasDropped);
  useEffect(() => {
    if (!dropped) return;
    notify(commonWords.dropped);
    hasDropped.set(false);
  }, [dropped]);
  return null;
}
