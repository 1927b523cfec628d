// Whether a request is a browser's navigation: it asks for a page rather than for data. choices §4.

interface Wish {
  readonly type: string;
  readonly weight: number;
}

/** True when the header `Accept` names `text/html`, and nothing that stands for JSON weighs more. RFC 9110 §12.5.1. */
export function prefersHtml(accept: string | undefined): boolean {
  const wishes = (accept ?? '').split(',').map(wishOf);
  const html = weightOf(wishes, ['text/html']);
  if (html === undefined || html === 0) return false;
  const named = weightOf(wishes, ['application/json', 'application/problem+json']);
  const anything = weightOf(wishes, ['application/*', '*/*']) ?? 0;
  return named === undefined ? html >= anything : html > named;
}

function wishOf(text: string): Wish {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

/** The greatest weight that one of these types has; undefined when none is named. */
function weightOf(wishes: readonly Wish[], types: readonly string[]): number | undefined {
  const weights = wishes.filter(({ type }) => types.includes(type)).map(({ weight }) => weight);
  return weights.length === 0 ? undefined : Math.max(...weights);
}
