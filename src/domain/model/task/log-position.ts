// A position in the log of a whole tenant: between two events, in the order in which their transactions became final.

export interface LogPosition {
  /** Milliseconds since 1970 of the event or read that it stands for: shows whether retention has passed it. */
  readonly atMs: number;
  /** Number of the transaction that wrote the event before it. */
  readonly xid: bigint;
  readonly taskId: string;
  readonly seq: number;
}

const noTask = '00000000-0000-0000-0000-000000000000';

/** The position before everything that this transaction or a later one wrote. */
export function positionBefore(xid: bigint, atMs: number): LogPosition {
  return { atMs, xid, taskId: noTask, seq: 0 };
}

/** Whether `a` is before `b`. */
export function precedes(a: LogPosition, b: LogPosition): boolean {
  if (a.xid !== b.xid) return a.xid < b.xid;
  if (a.taskId !== b.taskId) return a.taskId < b.taskId;
  return a.seq < b.seq;
}

/** The text of a position, for cursors and the ids of stream events. */
export function formatPosition({ atMs, xid, taskId, seq }: LogPosition): string {
  const suffix = taskId === noTask ? '' : `.${taskId.replaceAll('-', '')}.${seq}`;
  return `${atMs}.${xid}${suffix}`;
}

/** Undefined: `formatPosition` did not write this text. */
export function parsePosition(text: string): LogPosition | undefined {
  const match = /^(\d{1,15})\.(\d{1,19})(?:\.([0-9a-f]{32})\.(\d{1,15}))?$/.exec(text);
  if (match === null) return undefined;
  const [, at = '', xid = '', task, seq] = match;
  const taskId = task?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? noTask;
  return { atMs: Number(at), xid: BigInt(xid), taskId, seq: Number(seq ?? 0) };
}
