// Imports `requirements.md` of Kiro: each requirement becomes a story, its EARS lines the criteria. runs-13.
import { noteOfDone, takeItems, uniqueTexts } from './checklist.ts';
import { ImportLog, joinParagraphs, notImportable, slugOf, type ImportedPrd, type ImportFile } from './import-log.ts';
import { outlineOf, type MarkdownSection } from './markdown-outline.ts';

export const kiroHeading = /^Requirement\s+(\d+(?:\.\d+)*)\s*[:.\-–—]?\s*(.*)$/i;

/** Design and task files are dropped: tasks describe a solution, requirements the goal. @throws DomainError invalid `invalid_prd` */
export function importKiro(files: readonly ImportFile[]): ImportedPrd {
  const log = new ImportLog();
  const file = files.find(({ content }) => outlineOf(content).some(({ title }) => kiroHeading.test(title)));
  if (file === undefined) throw notImportable('No file has headings such as "### Requirement 1".');
  for (const other of files) if (other !== file) log.drop(other.name, other.content);
  const sections = outlineOf(file.content);
  const stories = sections.flatMap((section, index) => {
    const match = kiroHeading.exec(section.title);
    if (match === null) return [];
    const end = sections.findIndex((later, at) => at > index && later.level <= section.level);
    return [readRequirement(match, section, sections.slice(index + 1, end === -1 ? undefined : end))];
  });
  const head = sections.find(({ level }) => level === 1);
  const project = projectOf(file, head);
  const description = joinParagraphs(
    ...sections.map((section) => section.takeWithHeading(section === head || isUsed(section))),
  );
  return log.complete({
    project,
    branchName: slugOf(project, 'imported-requirements'),
    description: description === '' ? project : description,
    userStories: stories,
  });
}

function readRequirement(match: RegExpExecArray, head: MarkdownSection, inner: readonly MarkdownSection[]): unknown {
  const [, number = '', name = ''] = match;
  const title = name === '' ? head.title : name;
  const story = head.takeLabelled('User Story');
  // Some writers give the criteria a bold label instead of a heading.
  const labelled = head.takeLabelled('Acceptance Criteria');
  const items = [head, ...inner].flatMap((section) => takeItems(section));
  const rest = [head.takeText(), ...inner.map((section) => section.takeWithHeading(isUsed(section)))];
  const description = joinParagraphs(story, ...rest);
  return {
    id: `REQ-${number}`,
    title,
    description: description === '' ? title : description,
    acceptanceCriteria: uniqueTexts([labelled, ...items.map(({ text }) => text)]),
    notes: noteOfDone(items),
  };
}

/** Whether a heading is that of a requirement, or one that every document has. */
function isUsed({ title }: MarkdownSection): boolean {
  return kiroHeading.test(title) || /^(?:introduction|overview|requirements|acceptance criteria)$/i.test(title);
}

/** The folder of `.kiro/specs/<name>/requirements.md`, or the title of the document where it has one of its own. */
function projectOf(file: ImportFile, head: MarkdownSection | undefined): string {
  const folder = /([^/]+)\/[^/]+\.md$/i.exec(file.name)?.[1];
  const title = head?.title.replace(/^Requirements?(?: Document)?\s*[:\-–—]?\s*/i, '');
  return title === undefined || title === '' ? (folder ?? 'Imported requirements') : title;
}
