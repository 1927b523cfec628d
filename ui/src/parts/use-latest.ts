// The value of the last render, for callbacks that keep one name.
import { useLayoutEffect, useRef, type RefObject } from 'react';

export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
