// Searches tools by words and ranks them. Tolerates word forms; keywords cover the synonyms of our nouns.
import type { KnownTool } from './tool.ts';

export interface SearchHit {
  readonly known: KnownTool;
  readonly score: number;
}

/** The weight of a matching word, by the field that has it. */
const weights = { name: 8, title: 5, keywords: 4, category: 3, description: 1 } as const;
/** A match of the beginning of a word counts less. */
const prefixFactor = 0.5;

/**
 * The tools that match the query, best first; every tool for a query without words. Tools with equal scores keep the
 * order of the registry.
 */
export function searchTools(tools: readonly KnownTool[], query: string): SearchHit[] {
  const terms = termsOf(query.slice(0, 500), ignoredTerms);
  if (terms.length === 0) return tools.map((known) => ({ known, score: 0 }));
  const found = tools.map((known) => ({ known, score: scoreOf(known, terms) })).filter(({ score }) => score > 0);
  return found.toSorted((a, b) => b.score - a.score);
}

function scoreOf({ tool }: KnownTool, terms: readonly string[]): number {
  const fields = [
    [weights.name, tool.name],
    [weights.title, tool.title],
    [weights.keywords, tool.keywords],
    [weights.category, tool.toolset],
    [weights.description, tool.description],
  ] as const;
  let score = 0;
  for (const [weight, text] of fields) {
    const fieldTerms = termsOf(text);
    for (const term of terms) {
      if (fieldTerms.includes(term)) score += weight;
      else if (term.length > 2 && fieldTerms.some((other) => other.startsWith(term) || isStem(term, other)))
        score += weight * prefixFactor;
    }
  }
  return score;
}

/** True when a longer word begins with a shorter one, as `cancellation` with `cancel`. */
function isStem(term: string, shorter: string): boolean {
  return shorter.length > 3 && term.startsWith(shorter);
}

const noTerms: ReadonlySet<string> = new Set();

/** Words in lower case, without their endings. */
function termsOf(text: string, without = noTerms): string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const terms = spaced.split(/[^a-z0-9]+/).filter((term) => term !== '' && !without.has(term));
  return [...new Set(terms.map(stem))];
}

const endings = [/ies$/, /(?<=ss|sh|ch|x)es$/, /(?<!s)s$/, /(?<=[a-z]{3})ing$/, /(?<=[a-z]{3})ed$/, /(?<=[a-z]{3})e$/];

function stem(term: string): string {
  let short = term;
  for (const ending of endings) short = short.replace(ending, (cut) => (cut === 'ies' ? 'y' : ''));
  // cancelling, cancelled: the doubled letter is cut too.
  return short === term ? term : short.replace(/([b-df-hj-np-rtv-z])\1$/, '$1');
}

/** Words that do not describe a tool. "running" names a state, but its stem "run" is a noun of this service. */
const ignoredTerms: ReadonlySet<string> = new Set(
  'a an the of to for in on with and or is are do does i my me it how what which can there want please tool running'.split(
    ' ',
  ),
);
