// Reads an agent's answer for its step: blocked, a question, its summary. Nothing else of it is kept. runs-18.
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainLines } from '../plain-lines.ts';
import { scrub } from './scrub.ts';

export interface StepAnswer {
  /** The reason on the last line; null: the agent did not give up. */
  readonly blocked: string | null;
  /** The paragraph after `SUMMARY:`; '' without one. */
  readonly summary: string;
}

const blockedLine = /^[\s*_`>]*SWITCHYARD_BLOCKED:\s*(.*?)[\s*_`]*$/;
const summaryLine = /^[\s*_#>`]*SUMMARY:[*_]*\s*(.*)$/;
const markerLine = /^[\s*_`>]*SWITCHYARD_[A-Z_]+:/;
const maxReasonChars = 4_000;
const maxSummaryChars = 4_000;

/** @param secrets values that are blanked out */
export function readAnswer(answer: string, secrets: readonly string[]): StepAnswer {
  const lines = plainLines(scrub(answer, secrets).trimEnd());
  const reason = blockedLine.exec(lines.at(-1) ?? '')?.[1];
  const blocked = reason === undefined ? null : cutText(reason || 'The agent gives no reason.', maxReasonChars);
  return { blocked, summary: cutText(summaryIn(lines), maxSummaryChars) };
}

/** The last such paragraph, without markers. */
function summaryIn(lines: readonly string[]): string {
  const start = lines.findLastIndex((line) => summaryLine.test(line));
  if (start < 0) return '';
  const rest = lines.slice(start + 1);
  const first = summaryLine.exec(lines[start] ?? '')?.[1] ?? '';
  // The paragraph may begin on the next line.
  const from = first === '' ? rest.findIndex((line) => line.trim() !== '') : 0;
  const body = from < 0 ? [] : rest.slice(from);
  const end = body.findIndex((line) => line.trim() === '' || markerLine.test(line));
  return [first, ...body.slice(0, end < 0 ? undefined : end)]
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}
