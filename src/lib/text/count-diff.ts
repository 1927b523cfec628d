// Counts what a unified diff changes, without building its parts: a diff may have a million lines.

interface DiffCounts {
  files: number;
  added: number;
  removed: number;
}

/** Lines of the current hunk that are still to come. */
interface HunkRest {
  before: number;
  after: number;
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * The files of a unified diff, with or without git's headers, and its added and removed lines. Text that is no diff counts
 * as nothing.
 */
export function countDiff(text: string): DiffCounts {
  const counts = { files: 0, added: 0, removed: 0 };
  const rest = { before: 0, after: 0 };
  let plainFiles = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    if (rest.before > 0 || rest.after > 0) countHunkLine(text.charAt(at), counts, rest);
    else if (text.startsWith('diff --git ', at)) counts.files += 1;
    else if (text.startsWith('+++ ', at)) plainFiles += 1;
    else if (text.startsWith('@@ ', at)) beginHunk(text.slice(at, Math.min(end, at + 100)), rest);
    at = end + 1;
  }
  // git's header stands for files without hunks too: renamed, binary or empty ones.
  return { ...counts, files: Math.max(counts.files, plainFiles) };
}

function beginHunk(line: string, rest: HunkRest): void {
  const header = hunkHeader.exec(line);
  if (header === null) return;
  rest.before = Number(header[1] ?? 1);
  rest.after = Number(header[2] ?? 1);
}

function countHunkLine(mark: string, counts: DiffCounts, rest: HunkRest): void {
  if (mark === '\\') return; // "\ No newline at end of file" is no line of either side.
  if (mark === '+') counts.added += 1;
  if (mark === '-') counts.removed += 1;
  if (mark !== '+') rest.before -= 1;
  if (mark !== '-') rest.after -= 1;
}
