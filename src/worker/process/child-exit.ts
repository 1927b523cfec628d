// How programs end.
/** How a program ended. `missing`: it could not be started. */
export type ChildExit =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: NodeJS.Signals }
  | { kind: 'missing'; reason: string };
