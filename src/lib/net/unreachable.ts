// The default branch of a switch that covers every case.

/** Marks a branch that no value can reach. The type checker proves it; the throw reports it if the type was wrong. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
