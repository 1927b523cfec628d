// Splits Markdown into sections by its headings, and knows which lines nobody took.
import { notImportable, type ImportFile, type ImportLog } from './import-log.ts';

/** A heading of more characters is text. */
const maxHeadingLength = 500;
const maxSections = 2000;
const maxLines = 100_000;

export interface MarkdownLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** One heading with the lines below it, up to the next heading. Level 0 is what precedes the first heading. */
export class MarkdownSection {
  readonly level: number;
  readonly title: string;
  readonly number: number;
  #lines: readonly MarkdownLine[];

  constructor(level: number, title: string, number: number, lines: readonly MarkdownLine[]) {
    this.level = level;
    this.title = title;
    this.number = number;
    this.#lines = lines;
  }

  get lines(): readonly MarkdownLine[] {
    return this.#lines;
  }

  /** Takes the lines for which `isTaken` holds out of the section. */
  take(isTaken: (line: MarkdownLine) => boolean): readonly MarkdownLine[] {
    const taken: MarkdownLine[] = [];
    const left: MarkdownLine[] = [];
    for (const line of this.#lines) (isTaken(line) ? taken : left).push(line);
    this.#lines = left;
    return taken;
  }

  /** Takes the text after a bold label such as `**Goal**:`, with the lines that continue its paragraph. */
  takeLabelled(label: string): string | undefined {
    const pattern = new RegExp(String.raw`^\s*(?:[-*]\s+)?\*\*${label}\s*(?::\s*\*\*|\*\*\s*:)\s*(.*)$`, 'i');
    const begin = this.#lines.findIndex(({ text }) => pattern.test(text));
    if (begin === -1) return undefined;
    const first = pattern.exec(this.#lines[begin]?.text ?? '')?.[1] ?? '';
    const after = this.#lines.slice(begin + 1);
    const end = after.findIndex(({ text }) => text.trim() === '' || /^\s*(?:\*\*|[-*+>]\s|\d+\.\s|#)/.test(text));
    const more = end === -1 ? after : after.slice(0, end);
    const last = begin + 1 + more.length;
    this.#lines = [...this.#lines.slice(0, begin), ...this.#lines.slice(last)];
    return [first, ...more.map(({ text }) => text.trim())].join('\n').trim();
  }

  /** Takes all that is left, as text. */
  takeText(): string {
    return textOf(this.take(() => true));
  }

  /**
   * Takes all that is left, with the heading above it.
   * @param isPlain whether the heading is used elsewhere or is empty of information
   */
  takeWithHeading(isPlain: boolean): string {
    const heading = isPlain || this.level === 0 ? '' : `## ${this.title}`;
    return [heading, this.takeText()].filter((part) => part !== '').join('\n\n');
  }

  /** Records the lines that are left, and the heading of a section that nobody used. */
  dropRest(file: ImportFile, log: ImportLog, withHeading: boolean): void {
    const text = this.takeText();
    const heading = withHeading && this.level > 0 ? `${'#'.repeat(this.level)} ${this.title}` : '';
    const value = [heading, text].filter((part) => part !== '').join('\n');
    if (value !== '') log.drop(`${file.name}:${this.number}`, value);
  }
}

/** The text of lines without blank ends and without horizontal rules. */
export function textOf(lines: readonly MarkdownLine[]): string {
  return lines
    .filter(({ text }) => !/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(text))
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * The sections of a text in their order. Headings within fenced code and within comments are text.
 * @throws DomainError invalid `invalid_prd` for more than 2,000 headings or 100,000 lines
 */
export function outlineOf(content: string): readonly MarkdownSection[] {
  const texts = content.split(/\r\n?|\n/, maxLines + 1);
  if (texts.length > maxLines) throw notImportable(`A file has more than ${maxLines} lines.`);
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  const sections: { level: number; title: string; number: number; lines: MarkdownLine[] }[] = [
    { level: 0, title: '', number: 1, lines: [] },
  ];
  let fence: string | undefined;
  let isComment = false;
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line.text)?.[1]?.slice(0, 3);
    const heading = fence === undefined && !isComment ? headingOf(line.text) : undefined;
    if (heading !== undefined) {
      sections.push({ ...heading, number: line.number, lines: [] });
      if (sections.length > maxSections) throw notImportable(`A file has more than ${maxSections} headings.`);
      continue;
    }
    if (mark !== undefined && !isComment) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (fence === undefined) isComment = isCommentAfter(line.text, isComment);
    sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ level, title, number, lines: body }) => new MarkdownSection(level, title, number, body));
}

function headingOf(text: string): { readonly level: number; readonly title: string } | undefined {
  const match = text.length > maxHeadingLength ? null : /^(#{1,6})[ \t]+(.*)$/.exec(text);
  if (match === null) return undefined;
  return {
    level: match[1]?.length ?? 1,
    title: (match[2] ?? '')
      .trim()
      .replace(/[ \t]#+$/, '')
      .trim(),
  };
}

function isCommentAfter(text: string, before: boolean): boolean {
  const open = text.lastIndexOf('<!--');
  const close = text.lastIndexOf('-->');
  if (open === close) return before;
  return open > close;
}
