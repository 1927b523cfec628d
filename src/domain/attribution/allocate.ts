// Rounds shares of a whole so that the parts sum to it: the method of the largest remainder.

/** Absorbs the error of floating point: 0.29 * 100 is 28.999999999999996. */
const epsilon = 1e-9;

/**
 * Splits a whole number of units by shares. The parts are whole numbers that sum to it; each differs from its exact part by less
 * than one unit. Among equal remainders the first gets the unit.
 * @param units may be negative, as a refund is
 * @param shares none negative, summing to 1; none at all: nobody gets anything
 */
export function allocate(units: number, shares: readonly number[]): number[] {
  const whole = Math.abs(units);
  const exact = shares.map((share) => share * whole);
  const parts = exact.map((part) => Math.floor(part + epsilon));
  const byRemainder = exact.map((part, i) => ({ i, remainder: part - (parts[i] ?? 0) }));
  byRemainder.sort((a, b) => (Math.abs(a.remainder - b.remainder) < epsilon ? a.i - b.i : b.remainder - a.remainder));
  const left = shares.length === 0 ? 0 : whole - parts.reduce((sum, part) => sum + part, 0);
  // Negative when floating point made the parts of a very large whole too large: the smallest remainders give back.
  const changed = left < 0 ? byRemainder.slice(left) : byRemainder.slice(0, left);
  for (const { i } of changed) parts[i] = (parts[i] ?? 0) + Math.sign(left);
  return units < 0 ? parts.map((part) => (part === 0 ? 0 : -part)) : parts;
}
