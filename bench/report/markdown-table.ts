// A table in Markdown; columns of numbers stand to the right.

/** @param rows the first is the head */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const numeric = (column: number): boolean => body.every((row) => /^[\d,.]+$/.test(row[column] ?? ''));
  return [line(head), line(head.map((_, column) => (numeric(column) ? '---:' : '---'))), ...body.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
