// Whether a request prefers a page to data, as a browser's navigation does. choices-4.

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

/** True when the header `Accept` names `text/html` and gives no JSON type a greater weight. RFC 9110 §12.5.1. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseMediaRange);
  const html = weightOf(ranges, ['text/html']);
  if (html === undefined || html === 0) return false;
  const json = weightOf(ranges, ['application/json', 'application/problem+json']);
  const anything = weightOf(ranges, ['application/*', '*/*']) ?? 0;
  return json === undefined ? html >= anything : html > json;
}

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

/** The greatest weight of these types; undefined when none of them is named. */
function weightOf(ranges: readonly MediaRange[], types: readonly string[]): number | undefined {
  const weights = ranges.filter(({ type }) => types.includes(type)).map(({ weight }) => weight);
  return weights.length === 0 ? undefined : Math.max(...weights);
}
