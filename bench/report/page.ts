// docs/PERFORMANCE.md: a part for each bench. Writing one leaves the others as they are.
import { readFile, writeFile } from 'node:fs/promises';

const sections = ['tasks', 'workers', 'runs', 'ui'] as const;
export type ReportSection = (typeof sections)[number];

const page = new URL('../../docs/PERFORMANCE.md', import.meta.url);

/** Replaces one section of the page. */
export async function writeSection(part: ReportSection, text: string): Promise<void> {
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), part, text));
}

/** A section begins at its mark and ends at the next one; the text before the first mark is the page's head. */
export function replaceSection(before: string, part: ReportSection, text: string): string {
  const [head = '', ...rest] = before.split(/^<!-- part: (\w+) -->\n/m);
  const bodies = new Map(rest.flatMap((name, i) => (i % 2 === 0 ? [[name, rest[i + 1] ?? '']] : [])));
  bodies.set(part, `\n${text.trim()}\n\n`);
  const written = sections.flatMap((name) => {
    const body = bodies.get(name);
    return body === undefined ? [] : [`<!-- part: ${name} -->\n${body}`];
  });
  return `${head}${written.join('').trimEnd()}\n`;
}
