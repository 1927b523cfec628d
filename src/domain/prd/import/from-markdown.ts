// Imports a PRD in Markdown, as the skills of ralph and ralph-tui write it: headings such as `### US-001: …`. runs-13.
import { noteOfDone, takeItems, uniqueTexts, type ListItem } from './checklist.ts';
import { ImportLog, joinParagraphs, notImportable, slugOf, type ImportedPrd, type ImportFile } from './import-log.ts';
import { outlineOf, type MarkdownSection } from './markdown-outline.ts';

export const markdownStoryHeading = /^([A-Z][A-Z0-9]{0,9}-\d{1,6})\s*[:.\-–—]\s*(\S.*)$/;
const idInText = /[A-Z][A-Z0-9]{0,9}-\d{1,6}/g;

/** @throws DomainError invalid `invalid_prd` when there is no story */
export function importMarkdown(file: ImportFile): ImportedPrd {
  const log = new ImportLog();
  const sections = outlineOf(file.content.replaceAll(/^[ \t]*\[\/?PRD\][ \t]*$/gim, ''));
  const stories = sections.flatMap((section) => readStory(section, file, log) ?? []);
  if (stories.length === 0) throw notImportable(`${file.name} has no headings such as "### US-001: Title".`);
  const head = sections.find(({ level }) => level === 1);
  const title = head?.title.replace(/^PRD:\s*/i, '');
  const project = title === undefined || title === '' ? 'Imported PRD' : title;
  const gates = takeGates(sections);
  const nonGoals = takeList(sections, /non-?goals|out of scope/i);
  const openQuestions = takeList(sections, /open questions/i);
  const description = joinParagraphs(
    ...sections.map((section) => section.takeWithHeading(section === head || isUsedHeading(section))),
  );
  return log.complete({
    project,
    branchName: slugOf(project, 'imported-prd'),
    description: description === '' ? project : description,
    gates,
    nonGoals,
    openQuestions,
    userStories: stories,
  });
}

function readStory(section: MarkdownSection, file: ImportFile, log: ImportLog): unknown {
  const [, id, title] = markdownStoryHeading.exec(section.title) ?? [];
  if (id === undefined || title === undefined) return undefined;
  const description = section.takeLabelled('Description');
  const importance = section.takeLabelled('Priority');
  const priority = /^\d{1,6}$/.exec(importance ?? '')?.[0];
  const dependencies = section.takeLabelled('(?:Depends on|Dependencies)');
  const notes = section.takeLabelled('Notes');
  const label = section.takeLabelled('Acceptance Criteria');
  const items = takeItems(section);
  const boxes = items.filter(({ done }) => done !== null);
  const unread = priority === undefined && importance !== undefined ? `Priority: ${importance}` : undefined;
  const rest = joinParagraphs(description, section.takeText(), unread);
  const dependsOn = dependencies === undefined ? null : (dependencies.match(idInText) ?? []);
  if (dependencies !== undefined && dependencies.replaceAll(idInText, '').replaceAll(/[\s,;]|and|none/gi, '') !== '')
    log.drop(`${file.name}:${section.number}`, `Depends on: ${dependencies}`);
  return {
    id,
    title,
    description: rest === '' ? title : rest,
    acceptanceCriteria: uniqueTexts([label, ...items.map(({ text }) => text)]),
    priority: priority === undefined ? null : Number(priority),
    dependsOn,
    passes: boxes.length > 0 && boxes.every(({ done }) => done === true),
    notes: joinParagraphs(notes, noteOfDone(items) ?? undefined),
  };
}

/** The commands of "Quality Gates". Its other lines stay and become part of the description. */
function takeGates(sections: readonly MarkdownSection[]): readonly unknown[] | null {
  const section = sections.find(({ title }) => /quality gates/i.test(title));
  if (section === undefined) return null;
  const commands = section.lines.flatMap(({ text }) => /^\s*[-*]\s+(?:\[[ xX]\]\s+)?`([^`]+)`/.exec(text)?.[1] ?? []);
  const gates = numberGates(commands);
  // A line of nothing but its command is taken; an explanation after the command stays.
  section.take(({ text }) => /^\s*[-*]\s+(?:\[[ xX]\]\s+)?`[^`]+`\s*$/.test(text));
  return gates.length === 0 ? null : gates;
}

/** A gate for each command; a number makes an id differ from those before. */
function numberGates(commands: readonly string[]): readonly { readonly id: string; readonly command: string }[] {
  const ids = new Set<string>();
  // The search for a free number goes on from here: from 2 each time, a long list of one command would take squared time.
  const next = new Map<string, number>();
  return commands.map((command) => {
    const base = gateIdOf(command);
    let n = next.get(base) ?? 1;
    let id = base;
    for (; ids.has(id); n += 1) id = `${base}-${n + 1}`;
    next.set(base, n);
    ids.add(id);
    return { id, command };
  });
}

/** The last word of a command, as in `pnpm run lint`. */
function gateIdOf(command: string): string {
  const words = command.split(/\s+/).filter((word) => /^[A-Za-z][\w:.-]*$/.test(word));
  const id = (words.at(-1) ?? 'gate').replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  return /[A-Za-z0-9_]$/.test(id) ? id : 'gate';
}

function takeList(sections: readonly MarkdownSection[], title: RegExp): readonly string[] {
  const section = sections.find((one) => title.test(one.title));
  const items: readonly ListItem[] = section === undefined ? [] : takeItems(section);
  return uniqueTexts(items.map(({ text }) => text));
}

/** Whether a heading is that of a story, or of a section that every document has. */
function isUsedHeading(section: MarkdownSection): boolean {
  const isTaken = section.lines.every(({ text }) => text.trim() === '');
  return (
    markdownStoryHeading.test(section.title) ||
    /^(?:\d+\.\s*)?(?:introduction|overview)$/i.test(section.title) ||
    (isTaken && /^(?:\d+\.\s*)?(?:user stories|quality gates|non-?goals|open questions)$/i.test(section.title))
  );
}
