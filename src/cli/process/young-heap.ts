// Memory at the start: what loading a program throws away makes V8's young generation grow, and what it has grown to
// stays with the process (40 MiB, measured). So it is held while the program loads, and grows as the load asks for then.
import { setFlagsFromString } from 'node:v8';

/** From now on the young generation of this process keeps its size. */
export function holdYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** It grows again when it is full: what V8 does by itself. */
export function freeYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
