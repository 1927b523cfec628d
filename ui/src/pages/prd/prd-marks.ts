// The findings of the check, by the place of the PRD that they belong to.
import type { Finding, Lint } from '../../data/runs/prd-chats.ts';

interface Findings {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface PrdMarks {
  /** The findings at a place or below it. */
  readonly at: (path: string) => Findings;
}

const inStories = /^userStories\.\d+/;

export function marksOf(lint: Lint | undefined): PrdMarks {
  return { at: (path) => ({ errors: below(lint?.errors, path), warnings: below(lint?.warnings, path) }) };
}

/** The findings that belong to no story. */
export function findingsOfWhole(lint: Lint | undefined): Findings {
  return { errors: outside(lint?.errors), warnings: outside(lint?.warnings) };
}

function below(findings: readonly Finding[] | undefined, path: string): readonly Finding[] {
  return findings?.filter((finding) => finding.path === path || finding.path.startsWith(`${path}.`)) ?? [];
}

function outside(findings: readonly Finding[] | undefined): readonly Finding[] {
  return findings?.filter(({ path }) => !inStories.test(path)) ?? [];
}
