// The needs of tasks of a kind of agent program, and the check of a found program against them.
import { compareVersions } from '../../../lib/text/compare-versions.ts';
import { hasTerm, type HelpTerms } from './help-text.ts';

/** An option or a command, by its name in the program's help. */
export interface ProgramOption {
  readonly name: string;
  /** The values that tasks use, where the help lists them. */
  readonly values?: readonly string[];
}

export interface ProgramNeeds {
  /** The npm package that contains it; for people. */
  readonly npmPackage: string;
  /** The oldest version whose events and sessions match the adapter; help texts do not describe these. */
  readonly oldest: string;
  /** Arguments that print the options of the command that tasks run. */
  readonly helpArgs: readonly string[];
  /** Required for every task. */
  readonly required: readonly ProgramOption[];
  /** Used where the program has them; there is an older way. */
  readonly optional: readonly ProgramOption[];
}

/** The options of `ProgramNeeds.optional` that a program has. */
export type OptionalSet = ReadonlySet<string>;

export function findOptions({ optional }: ProgramNeeds, terms: HelpTerms): OptionalSet {
  return new Set(optional.filter(({ name, values }) => hasTerm(terms, name, values)).map(({ name }) => name));
}

/**
 * Why a program cannot run tasks; undefined when it can. A program without a readable version is judged by its help
 * alone.
 */
export function findUnmetNeed(needs: ProgramNeeds, version: string | undefined, terms: HelpTerms): string | undefined {
  const works = `${needs.oldest} is the oldest version that works`;
  const isNumbered = version !== undefined && /^\d/.test(version);
  if (isNumbered && compareVersions(version, needs.oldest) < 0) return `version ${version} is too old: ${works}`;
  const missing = needs.required.filter(({ name, values }) => !hasTerm(terms, name, values));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name, values = [] }) => [name, values.join('|')].filter(Boolean).join(' ')).join(', ');
  const what = isNumbered ? `version ${version}` : 'the unknown version';
  return `${what} has no ${names} in its help: ${works}`;
}
