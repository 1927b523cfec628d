// Whether the page is seen: a hidden one gives up its streams after a while.
import { useEffect, useState } from 'react';

/** A hidden page counts as seen this long: most people come back at once. */
const hiddenMs = 30_000;

export function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onChange = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setSeen(false), hiddenMs);
      else setSeen(true);
    };
    document.addEventListener('visibilitychange', onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onChange);
    };
  }, []);
  return isSeen;
}
