// Limits V8's young generation during the start: garbage of loading a program makes it grow, and it never shrinks again
// (40 MiB, measured). Its size is fixed while the program loads, and released afterwards.
import { setFlagsFromString } from 'node:v8';

/** Fixes the size of this process's young generation. */
export function holdYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the young generation grow again when it is full, as V8 does by default. */
export function freeYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
