// The value of the last rendering, for deeds that live longer than one: actions, listeners.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A reference that never changes. It must not be read while rendering. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
