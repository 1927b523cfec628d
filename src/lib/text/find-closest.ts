// Finds the known word closest to a misspelt one, for "did you mean" hints in errors.

/** The candidate with the smallest edit distance; undefined when none is close enough. */
export function findClosest(input: string, candidates: readonly string[]): string | undefined {
  const given = input.slice(0, longest);
  const wanted = given.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly match: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const near = sameParts(given, candidate) ? 0 : distance(wanted, other);
    if (near <= most && near < (best?.distance ?? Infinity)) best = { match: candidate, distance: near };
  }
  return best?.match;
}

/** Only this many characters are compared: longer words are not typing mistakes. */
const longest = 64;

/** `taskGet`, `task-get` and `get_task` have the same parts. */
function sameParts(a: string, b: string): boolean {
  return partsOf(a) === partsOf(b);
}

function partsOf(text: string): string {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return spaced
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .toSorted()
    .join(' ');
}

/** Edit distance: insertions, deletions, substitutions and swaps of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(change, swap, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
