// Parses the report of an agent about its key result by its contract.
import { okrReport } from '../../../contracts/okr/okr-run.ts';
import type { ParsedReport } from '../../../domain/okr/base/okr-deps.ts';

export function parseOkrReport(content: unknown): ParsedReport {
  const parsed = okrReport.safeParse(content);
  if (parsed.success) return { report: parsed.data };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  return { reason: `The artifact okr-progress is not a valid report: ${issues.join('; ')}.` };
}
