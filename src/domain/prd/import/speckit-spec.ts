// Reads `spec.md` of spec-kit: user stories with scenarios, requirements, open points. runs-13.
import { takeItems } from './checklist.ts';
import { joinParagraphs, type ImportFile, type ImportLog } from './import-log.ts';
import { outlineOf, type MarkdownSection } from './markdown-outline.ts';

export interface SpecStory {
  readonly number: string;
  readonly title: string;
  readonly priority: number | null;
  readonly description: string;
  readonly independentTest: string | undefined;
  /** "Given …, When …, Then …". */
  readonly scenarios: readonly string[];
}

export interface SpeckitSpec {
  readonly title: string | undefined;
  readonly branch: string | undefined;
  /** The input, and every section that belongs to no story. */
  readonly description: string;
  readonly stories: readonly SpecStory[];
  /** The texts of `[NEEDS CLARIFICATION: …]`. */
  readonly openQuestions: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

const specStoryHeading = /^User Story\s+(\d+)(.*)$/isu;

export function readSpeckitSpec(file: ImportFile, log: ImportLog): SpeckitSpec {
  const sections = outlineOf(file.content);
  const head = sections.find(({ level }) => level === 1);
  const branch = head?.takeLabelled('Feature Branch')?.replaceAll('`', '').trim();
  const input = head?.takeLabelled('Input');
  const metadata = Object.fromEntries(
    ['Created', 'Status'].flatMap((label) => {
      const text = head?.takeLabelled(label);
      return text === undefined ? [] : [[label.toLowerCase(), text] as const];
    }),
  );
  const stories = sections.flatMap((section) => readStorySection(section) ?? []);
  for (const section of sections) if (section.level === 0) section.dropRest(file, log, false);
  return {
    title: head?.title.replace(/^Feature Specification:\s*/i, ''),
    branch: branch === '' ? undefined : branch,
    description: joinParagraphs(
      input,
      ...sections.map((section) => section.takeWithHeading(section === head || isTemplateHeading(section))),
    ),
    stories,
    openQuestions: [...file.content.matchAll(/\[NEEDS CLARIFICATION:?([^\]\n]{1,1000})\]/gi)].map(([, text = '']) =>
      text.trim(),
    ),
    metadata,
  };
}

function readStorySection(section: MarkdownSection): SpecStory | undefined {
  const match = specStoryHeading.exec(section.title);
  if (match === null) return undefined;
  const [, number = '', rest = ''] = match;
  const { title, priority } = splitHeading(rest);
  const independentTest = section.takeLabelled('Independent Test');
  const why = section.takeLabelled('Why this priority');
  const labelled = section.takeLabelled('Acceptance Scenarios') ?? '';
  const items = takeItems(section).map(({ text }) => text);
  return {
    number,
    title: title === '' ? section.title : title,
    priority,
    description: joinParagraphs(section.takeText(), why === undefined ? undefined : `Why this priority: ${why}`),
    independentTest,
    scenarios: labelled === '' ? items : [labelled, ...items],
  };
}

/**
 * The title and the priority in `: Title (Priority: P1) 🎯 MVP`. One pattern for all of it would try every division of
 * a long run of spaces.
 */
function splitHeading(rest: string): { readonly title: string; readonly priority: number | null } {
  const text = rest
    .replace(/^\s*[:\-–—]*/u, '')
    .replace(/🎯.*$/su, '')
    .trim();
  const marked = /\(Priority:\s*P(\d+)\)$/i.exec(text);
  if (marked === null) return { title: text, priority: null };
  return { title: text.slice(0, marked.index).trim(), priority: Number(marked[1]) };
}

/** Whether a heading is that of a story, or one that every document has. */
function isTemplateHeading({ title }: MarkdownSection): boolean {
  return specStoryHeading.test(title) || /^(?:User Scenarios & Testing|Requirements)\s*(?:[*_(].*)?$/i.test(title);
}
