// The clock of the service, from the `date` of its answers: ages are right in a browser whose clock is wrong.

const offsets: number[] = [];
const kept = 5;

/** Notes the header `date` of an answer, which has whole seconds. */
export function noteServiceDate(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  offsets.push(at + 500 - Date.now());
  if (offsets.length > kept) offsets.shift();
}

/** Milliseconds since the epoch by the service's clock: the median of the last five answers. */
export function serviceNow(): number {
  const sorted = offsets.toSorted((a, b) => a - b);
  const offset = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // Less than two seconds is the rounding of the header and the way of the answer.
  return Date.now() + (Math.abs(offset) < 2_000 ? 0 : offset);
}
