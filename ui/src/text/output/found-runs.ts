// Runs of text in which the places that a search found are runs of their own.
import type { TextRun } from './ansi.ts';

export interface FoundRun extends TextRun {
  readonly isFound: boolean;
}

/** Cuts runs at the occurrences of a text, without regard to case. */
export function foundRuns(runs: readonly TextRun[], query: string): FoundRun[] {
  const whole = runs.map(({ text }) => text).join('');
  const places = query === '' ? [] : placesOf(whole.toLowerCase(), query.toLowerCase());
  if (places.length === 0) return runs.map((run) => ({ ...run, isFound: false }));
  const cut: FoundRun[] = [];
  let at = 0;
  for (const run of runs) {
    const end = at + run.text.length;
    const inRun = places.flatMap((from) => [from, from + query.length]).filter((edge) => edge > at && edge < end);
    const edges = [at, ...inRun, end];
    for (const [index, from] of edges.slice(0, -1).entries()) {
      const to = edges[index + 1] ?? end;
      const isFound = places.some((place) => place <= from && from < place + query.length);
      cut.push({ ...run, text: whole.slice(from, to), isFound });
    }
    at = end;
  }
  return cut;
}

function placesOf(text: string, query: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(query); at !== -1 && places.length < 200; at = text.indexOf(query, at + query.length))
    places.push(at);
  return places;
}
