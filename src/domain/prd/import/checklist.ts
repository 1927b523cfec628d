// Reads lists of Markdown: check boxes, numbered items and bullets, each with the lines that continue it.
import type { MarkdownSection } from './markdown-outline.ts';

export interface ListItem {
  readonly text: string;
  /** Whether its box is ticked; null for an item without a box. */
  readonly done: boolean | null;
}

const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/;

/**
 * Takes the items of the lists of a section: all, or those with a box. An indented line, or a nested item, continues the item
 * above it.
 */
export function takeItems(section: MarkdownSection, which: 'all' | 'boxes' = 'all'): readonly ListItem[] {
  const items: { text: string; done: boolean | null; indent: number }[] = [];
  let isInside = false;
  section.take(({ text }) => {
    const match = item.exec(text);
    const last = items.at(-1);
    const indent = match?.[1]?.length ?? 0;
    const isNested = isInside && last !== undefined && indent > last.indent && match?.[2] === undefined;
    if (match !== null && !isNested && (which === 'all' || match[2] !== undefined)) {
      items.push({ text: match[3] ?? '', done: match[2] === undefined ? null : match[2] !== ' ', indent });
      isInside = true;
      return true;
    }
    isInside &&= isNested || /^\s+\S/.test(text);
    if (isInside && last !== undefined) last.text += `\n${text.trim()}`;
    return isInside;
  });
  return items.map(({ text, done }) => ({ text: text.trim(), done }));
}

/** Criteria without empty and doubled ones, in their order. */
export function uniqueTexts(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text])))];
}

/** The note about what was done already; null when nothing was. */
export function noteOfDone(items: readonly ListItem[]): string | null {
  const done = items.filter((one) => one.done === true).map(({ text }) => `- ${text}`);
  return done.length === 0 ? null : ['Done before the import:', ...done].join('\n');
}
