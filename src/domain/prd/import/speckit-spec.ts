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

const storyHeading = /^User Story\s+(\d+)\s*[:\-–—]*\s*(.*?)\s*(?:\(Priority:\s*P(\d+)\))?\s*(?:🎯.*)?$/iu;

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
    description: joinParagraphs(input, ...sections.map(renderSection)),
    stories,
    openQuestions: [...file.content.matchAll(/\[NEEDS CLARIFICATION:?\s*([^\]]+)\]/gi)].map(([, text = '']) =>
      text.trim(),
    ),
    metadata,
  };
}

function readStorySection(section: MarkdownSection): SpecStory | undefined {
  const match = storyHeading.exec(section.title);
  if (match === null) return undefined;
  const [, number = '', title = '', priority] = match;
  const independentTest = section.takeLabelled('Independent Test');
  const why = section.takeLabelled('Why this priority');
  section.takeLabelled('Acceptance Scenarios');
  const scenarios = takeItems(section).map(({ text }) => text);
  return {
    number,
    title: title === '' ? section.title : title,
    priority: priority === undefined ? null : Number(priority),
    description: joinParagraphs(section.takeText(), why === undefined ? undefined : `Why this priority: ${why}`),
    independentTest,
    scenarios,
  };
}

/** A section with its heading; empty for one without text, and for a story, whose text is taken already. */
function renderSection(section: MarkdownSection): string {
  const text = section.takeText();
  return text === '' || section.level <= 1 ? text : `## ${section.title}\n\n${text}`;
}
