// Imports the documents of other tools, each by its own mapping; the format can be detected. runs-13, runs-18.
import { unreachable } from '../../../lib/net/unreachable.ts';
import { importKiro, kiroHeading } from './from-kiro.ts';
import { importMarkdown, markdownStoryHeading } from './from-markdown.ts';
import { importRalphTui } from './from-ralph-tui.ts';
import { importRalph } from './from-ralph.ts';
import { importSpeckit } from './from-speckit.ts';
import { importTaskmaster } from './from-taskmaster.ts';
import { notImportable, type ImportedPrd, type ImportFile } from './import-log.ts';
import { outlineOf } from './markdown-outline.ts';
import { maxImportBytes, readSource, tryReadSource } from './read-source.ts';
import { SourceObject } from './source-object.ts';

export const importFormats = ['auto', 'ralph', 'ralph-tui', 'speckit', 'taskmaster', 'kiro', 'markdown'] as const;
export type ImportFormat = (typeof importFormats)[number];
type KnownFormat = Exclude<ImportFormat, 'auto'>;

const maxFiles = 20;

/**
 * The PRD of one or several files, and what did not fit into it. The same files give the same result.
 * @throws DomainError invalid `invalid_prd` when the files are not of the format named, or of none
 */
export function importPrd(format: ImportFormat, files: readonly ImportFile[]): ImportedPrd {
  const characters = files.reduce((sum, { name, content }) => sum + name.length + content.length, 0);
  if (files.length === 0 || files.length > maxFiles) throw notImportable(`An import takes 1 to ${maxFiles} files.`);
  if (characters > maxImportBytes) throw notImportable('The files of an import have more than 4 MiB together.');
  const unclean = files.find(({ name, content }) => !isStorable(name) || !isStorable(content));
  if (unclean !== undefined)
    throw notImportable('A file has a NUL character or half of a surrogate pair: it is not text.');
  const known = format === 'auto' ? detectFormat(files) : format;
  return importAs(known, files);
}

/**
 * The format of files, judged by what is in them.
 * @throws DomainError invalid `invalid_prd` when it is none of the known ones
 */
export function detectFormat(files: readonly ImportFile[]): KnownFormat {
  const found = files.map(formatOf);
  const order: readonly KnownFormat[] = ['taskmaster', 'ralph-tui', 'ralph', 'speckit', 'kiro', 'markdown'];
  const format = order.find((one) => found.includes(one));
  if (format !== undefined) return format;
  for (const file of files.filter(({ name }) => /\.(?:json|ya?ml)$/i.test(name))) {
    const reading = tryReadSource(file);
    if ('reason' in reading) throw notImportable(`${file.name} cannot be read: ${reading.reason}`);
  }
  throw notImportable(`The files are of none of the formats ${order.join(', ')}. Send free text to the PRD chat.`);
}

function importAs(format: KnownFormat, files: readonly ImportFile[]): ImportedPrd {
  switch (format) {
    case 'speckit':
      return importSpeckit(files);
    case 'kiro':
      return importKiro(files);
    case 'ralph':
      return importOne(format, files, (file) => importRalph(requireStories(file)));
    case 'ralph-tui':
      return importOne(format, files, (file) => importRalphTui(requireStories(file)));
    case 'taskmaster':
      return importOne(format, files, importTaskmaster);
    case 'markdown':
      return importOne(format, files, importMarkdown);
    default:
      return unreachable(format);
  }
}

/** The formats of one file: every other file is dropped. */
function importOne(
  format: KnownFormat,
  files: readonly ImportFile[],
  importFile: (file: ImportFile) => ImportedPrd,
): ImportedPrd {
  const [main, ...others] = mainFirst(format, files);
  if (main === undefined) throw notImportable('An import takes at least one file.');
  const imported = importFile(main);
  const dropped = others.map(({ name, content }) => ({ path: name, value: content }));
  return { ...imported, dropped: [...imported.dropped, ...dropped] };
}

/** The file that is of the format comes first; the others are dropped. */
function mainFirst(format: KnownFormat, files: readonly ImportFile[]): readonly ImportFile[] {
  return files.toSorted((a, b) => Number(formatOf(b) === format) - Number(formatOf(a) === format));
}

function requireStories(file: ImportFile): ImportFile {
  if (storiesOf(readSource(file)) !== undefined) return file;
  throw notImportable(`${file.name} is not a prd.json: it has no list userStories.`);
}

function formatOf(file: ImportFile): KnownFormat | undefined {
  return isData(file) ? formatOfData(file) : formatOfMarkdown(file.content);
}

/** A name that ends in .md is Markdown; other text is data when it can be read as an object. */
function isData(file: ImportFile): boolean {
  if (/\.(?:md|markdown)$/i.test(file.name)) return false;
  const reading = tryReadSource(file);
  return 'value' in reading && SourceObject.of(reading.value) !== undefined;
}

function formatOfData(file: ImportFile): KnownFormat | undefined {
  const reading = tryReadSource(file);
  const source = 'value' in reading ? SourceObject.of(reading.value) : undefined;
  if (source === undefined) return undefined;
  if (storiesOf(source.peek('prd')) !== undefined) return 'ralph-tui';
  if (source.has('userStories') || source.has('user_stories'))
    return source.has('name') && !source.has('project') ? 'ralph-tui' : 'ralph';
  const hasTasks = [source, ...source.keys().map((key) => SourceObject.of(source.peek(key)))].some((one) =>
    Array.isArray(one?.peek('tasks')),
  );
  return hasTasks ? 'taskmaster' : undefined;
}

function formatOfMarkdown(content: string): KnownFormat | undefined {
  const titles = outlineOf(content).map(({ title }) => title);
  const isSpeckit =
    titles.some((title) => /^(?:Feature Specification:|User Story\s+\d+)/i.test(title)) ||
    /^[ \t]*[-*][ \t]+\[[ xX]\][ \t]+T\d{3}\b/m.test(content);
  if (isSpeckit) return 'speckit';
  if (titles.some((title) => kiroHeading.test(title))) return 'kiro';
  return titles.some((title) => markdownStoryHeading.test(title)) ? 'markdown' : undefined;
}

/** The list of stories of a value in ralph's form, or of the document wrapped in it. */
function storiesOf(value: unknown): unknown {
  const source = SourceObject.of(value);
  const stories = source?.peek('userStories') ?? source?.peek('user_stories');
  return stories ?? (source?.has('prd') === true ? storiesOf(source.peek('prd')) : undefined);
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
