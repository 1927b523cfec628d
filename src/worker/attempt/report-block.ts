// The report about a key result at the end of an answer, for agents that may only read. docs/OKR.md.
import type { NewArtifact } from '../../contracts/worker.ts';
import { cleanText } from '../process/text.ts';
import { jsonContent } from './artifact-folder.ts';

export const reportName = 'okr-progress';

/** The last fenced block of that name, as the artifact of that name. @returns undefined: there is none */
export function reportInAnswer(answer: string): NewArtifact | undefined {
  const lines = answer.split(/\r?\n/);
  const start = lines.findLastIndex((line) => /^ {0,3}`{3,}\s*okr-progress\s*$/.test(line));
  if (start < 0) return undefined;
  const fence = /`+/.exec(lines[start] ?? '')?.[0] ?? '```';
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim().startsWith(fence));
  if (end < 0) return undefined;
  return { name: reportName, mime_type: 'application/json', ...jsonContent(cleanText(rest.slice(0, end).join('\n'))) };
}
