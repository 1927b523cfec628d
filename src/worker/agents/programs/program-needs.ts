// What a kind of agent program has to have for tasks, and whether a found program has it.
import { compareVersions } from '../../../lib/text/compare-versions.ts';
import { hasTerm, type HelpTerms } from './help-text.ts';

/** An option or a command, as the program's help names it. */
export interface ProgramOption {
  name: string;
  /** Those of its values that tasks use, where the help lists them. */
  values?: readonly string[];
}

export interface ProgramNeeds {
  /** The npm package that it comes in: for people. */
  npmPackage: string;
  /** The oldest version whose events and sessions are as the adapter reads them; a help says nothing of these. */
  oldest: string;
  /** Arguments that make it print the options of what tasks run. */
  helpArgs: readonly string[];
  /** What tasks cannot do without. */
  required: readonly ProgramOption[];
  /** What is used where the program has it; there is an older way. */
  optional: readonly ProgramOption[];
}

/** Options of `ProgramNeeds.optional` that a program has. */
export type OptionalSet = ReadonlySet<string>;

export function findOptions({ optional }: ProgramNeeds, terms: HelpTerms): OptionalSet {
  return new Set(optional.filter(({ name, values }) => hasTerm(terms, name, values)).map(({ name }) => name));
}

/** Why a program cannot do tasks; undefined when it can. A version that nobody can read is judged by its help alone. */
export function findUnmetNeed(needs: ProgramNeeds, version: string | undefined, terms: HelpTerms): string | undefined {
  const works = `${needs.oldest} is the oldest version that works`;
  const isNumbered = version !== undefined && /^\d/.test(version);
  if (isNumbered && compareVersions(version, needs.oldest) < 0) return `version ${version} is too old: ${works}`;
  const missing = needs.required.filter(({ name, values }) => !hasTerm(terms, name, values));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name, values = [] }) => [name, values.join('|')].filter(Boolean).join(' ')).join(', ');
  const what = isNumbered ? `version ${version}` : 'the version, which it does not tell,';
  return `${what} has no ${names} in its help: ${works}`;
}
