// The end of a switch that covers every case.

/** Called where no value can be left; the type checker proves it, the throw says it if it was wrong. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
