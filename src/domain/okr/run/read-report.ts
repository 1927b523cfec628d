// Reads what the task of a key result reported: the newest artifact okr-progress.
import { okrReportName } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import { readArtifactContent, type Artifact } from '../../tasks/artifacts.ts';
import type { OkrDeps, ParsedReport } from '../base/okr-deps.ts';

const maxReportBytes = 1024 * 1024;

export async function readReport(
  { parseReport }: Pick<OkrDeps, 'parseReport'>,
  rows: Rows,
  taskId: string,
): Promise<ParsedReport> {
  const artifacts = await rows.tasks.artifacts(taskId);
  const newest = artifacts.filter(({ name }) => name === okrReportName).at(-1);
  if (newest === undefined) return { reason: `The task left no artifact ${okrReportName}.` };
  if (newest.size > maxReportBytes) return { reason: `The artifact ${okrReportName} is larger than 1 MiB.` };
  const content = parseContent(await readArtifactContent(rows, taskId, newest));
  return content === undefined ? { reason: `The artifact ${okrReportName} is not JSON.` } : parseReport(content.value);
}

function parseContent({ text, data, bytes }: Artifact): { readonly value: unknown } | undefined {
  if (data !== undefined) return { value: data };
  const json = text ?? (bytes === undefined ? undefined : Buffer.from(bytes, 'base64').toString());
  if (json === undefined) return undefined;
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}
