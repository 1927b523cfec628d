// docs/PERFORMANCE.md: a part for each bench. Writing one leaves the others as they are.
import { readFile, writeFile } from 'node:fs/promises';

const parts = ['tasks', 'workers'] as const;
export type Part = (typeof parts)[number];

const page = new URL('../../docs/PERFORMANCE.md', import.meta.url);

/** Puts this text into its part of the page. */
export async function writePart(part: Part, text: string): Promise<void> {
  await writeFile(page, withPart(await readFile(page, 'utf8'), part, text));
}

/** A part begins at its mark and ends at the next; what is in front of the first is the page's head. */
export function withPart(before: string, part: Part, text: string): string {
  const [head = '', ...rest] = before.split(/^<!-- part: (\w+) -->\n/m);
  const known = new Map(rest.flatMap((name, i) => (i % 2 === 0 ? [[name, rest[i + 1] ?? '']] : [])));
  known.set(part, `\n${text.trim()}\n\n`);
  const written = parts.flatMap((name) => {
    const body = known.get(name);
    return body === undefined ? [] : [`<!-- part: ${name} -->\n${body}`];
  });
  return `${head}${written.join('').trimEnd()}\n`;
}
