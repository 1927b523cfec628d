// Imports `tasks.md` of spec-kit, with `spec.md` beside it: each phase becomes a story. runs-13.
import { noteOfDone, takeItems, uniqueTexts, type ListItem } from './checklist.ts';
import { ImportLog, joinParagraphs, notImportable, slugOf, type ImportedPrd, type ImportFile } from './import-log.ts';
import { outlineOf, type MarkdownSection } from './markdown-outline.ts';
import { readSpeckitSpec, type SpecStory, type SpeckitSpec } from './speckit-spec.ts';

/** A phase of `tasks.md` on its way to become a story. */
interface Phase {
  readonly id: string;
  readonly kind: 'setup' | 'foundational' | 'story' | 'other' | 'polish';
  readonly title: string;
  readonly heading: string;
  readonly priority: number | null;
  readonly description: string;
  readonly independentTests: readonly string[];
  readonly tasks: readonly ListItem[];
}

const taskLine = /^\s*[-*]\s+\[[ xX]\]\s+\S/;

/** @throws DomainError invalid `invalid_prd` when no file has phases of tasks or user stories */
export function importSpeckit(files: readonly ImportFile[]): ImportedPrd {
  const log = new ImportLog();
  const specFile = files.find(
    ({ name, content }) => /spec\.md$/i.test(name) || /^#[ \t]+Feature Specification/m.test(content),
  );
  const tasksFile = files.find(
    (file) => file !== specFile && file.content.split('\n').some((line) => taskLine.test(line)),
  );
  for (const file of files) if (file !== specFile && file !== tasksFile) log.drop(file.name, file.content);
  const spec = specFile === undefined ? undefined : readSpeckitSpec(specFile, log);
  const { title, phases } = tasksFile === undefined ? { title: undefined, phases: [] } : readPhases(tasksFile, log);
  if (title !== undefined && spec?.title !== undefined && title !== spec.title)
    log.drop(`${tasksFile?.name}:title`, title);
  const stories = composeStories(phases, spec);
  if (stories.length === 0) throw notImportable('The files have no phases with tasks and no user stories of spec-kit.');
  const project = spec?.title ?? title ?? 'Imported specification';
  const folder = /([^/]+)\/(?:tasks|spec)\.md$/i.exec((tasksFile ?? specFile)?.name ?? '')?.[1];
  return log.complete({
    project,
    branchName: spec?.branch ?? slugOf(folder ?? project, 'imported-specification'),
    description: spec === undefined || spec.description === '' ? project : spec.description,
    openQuestions: spec?.openQuestions ?? [],
    metadata: spec?.metadata ?? {},
    userStories: stories,
  });
}

/** Phases are sections of level 2 with tasks in them or in their subsections. Others are dropped. */
function readPhases(
  file: ImportFile,
  log: ImportLog,
): { readonly title: string | undefined; readonly phases: readonly Phase[] } {
  const phases: Phase[] = [];
  let title: string | undefined;
  for (const group of groupByHeading(outlineOf(file.content))) {
    const [head, ...inner] = group;
    if (head === undefined) continue;
    const isTitle = head.level === 1 && title === undefined;
    if (isTitle) title = head.title.replace(/^Tasks:\s*/i, '');
    if (group.some(({ lines }) => lines.some(({ text }) => taskLine.test(text)))) {
      phases.push(readPhase(head, inner, phases.length + 1));
      for (const section of inner) section.dropRest(file, log, true);
    } else for (const section of group) section.dropRest(file, log, !isTitle || section !== head);
  }
  return { title, phases };
}

/** A section of level 0, 1 or 2 with the deeper ones below it. */
function groupByHeading(sections: readonly MarkdownSection[]): readonly (readonly MarkdownSection[])[] {
  const groups: MarkdownSection[][] = [];
  for (const section of sections) {
    if (section.level <= 2 || groups.length === 0) groups.push([section]);
    else groups.at(-1)?.push(section);
  }
  return groups;
}

function readPhase(head: MarkdownSection, inner: readonly MarkdownSection[], position: number): Phase {
  const [, number = String(position), rest = head.title] =
    /^Phase\s+([\w.]+)\s*[:.\-–—]\s*(.*)$/i.exec(head.title) ?? [];
  const story = /User Story\s+(\d+)\s*[:\-–—]*\s*(.*)$/i.exec(rest);
  const independentTests = [head, ...inner].flatMap((section) => section.takeLabelled('Independent Test') ?? []);
  const tasks = [head, ...inner].flatMap((section) => takeItems(section, 'boxes'));
  const [goal, purpose] = ['Goal', 'Purpose'].map((label) => head.takeLabelled(label));
  const priority = /\(Priority:\s*P(\d+)\)/i.exec(rest)?.[1];
  return {
    ...kindOf(rest, number, story?.[1]),
    title: cleanTitle(story?.[2] ?? rest) || head.title,
    heading: head.title,
    priority: priority === undefined ? null : Number(priority),
    description: joinParagraphs(goal, purpose, head.takeText()),
    independentTests,
    tasks,
  };
}

function kindOf(title: string, number: string, story: string | undefined): Pick<Phase, 'id' | 'kind'> {
  if (story !== undefined) return { id: storyIdOf(story), kind: 'story' };
  if (/^setup\b/i.test(title)) return { id: 'SETUP', kind: 'setup' };
  if (/^foundation/i.test(title)) return { id: 'FOUNDATIONAL', kind: 'foundational' };
  return { id: `PHASE-${number.replaceAll(/\W+/g, '-')}`, kind: /polish|final/i.test(title) ? 'polish' : 'other' };
}

function storyIdOf(number: string): string {
  return `US-${number.padStart(3, '0')}`;
}

/** Without the priority, the mark of the first deliverable, and notes in parentheses at the end. */
function cleanTitle(title: string): string {
  return title
    .replace(/\(Priority:.*?\)/i, '')
    .replace(/🎯.*$/u, '')
    .trim();
}

/** Set-up first, then the foundation; all others depend on it. Polish depends on every story too. */
function composeStories(phases: readonly Phase[], spec: SpeckitSpec | undefined): readonly unknown[] {
  const byKind = (...kinds: readonly Phase['kind'][]): readonly Phase[] =>
    phases.filter(({ kind }) => kinds.includes(kind));
  const base = [...byKind('foundational'), ...byKind('setup')].map(({ id }) => id).slice(0, 1);
  const specOnly = (spec?.stories ?? []).filter(({ number }) => !phases.some(({ id }) => id === storyIdOf(number)));
  const all = [...byKind('story', 'other').map(({ id }) => id), ...specOnly.map(({ number }) => storyIdOf(number))];
  const specsOf = (id: string): readonly SpecStory[] =>
    (spec?.stories ?? []).filter(({ number }) => storyIdOf(number) === id);
  return [
    ...byKind('setup').map((phase) => composeStory({ ...phase, priority: 0 }, [], [])),
    ...byKind('foundational').map((phase) =>
      composeStory(
        { ...phase, priority: 0 },
        byKind('setup').map(({ id }) => id),
        [],
      ),
    ),
    ...byKind('story', 'other').map((phase) => composeStory(phase, base, specsOf(phase.id))),
    ...specOnly.map((story) => composeSpecStory(story, base)),
    ...byKind('polish').map((phase) => composeStory(phase, [...base, ...all], [])),
  ];
}

function composeStory(phase: Phase, dependsOn: readonly string[], specs: readonly SpecStory[]): unknown {
  const isDone = phase.tasks.every(({ done }) => done === true);
  const open = phase.tasks.filter(({ done }) => isDone || done !== true);
  return {
    id: phase.id,
    title: phase.title,
    description:
      joinParagraphs(phase.description, ...specs.flatMap((spec) => describeSpec(spec, phase.title))) || phase.title,
    acceptanceCriteria: uniqueTexts([
      ...open.map(({ text }) => text),
      ...phase.independentTests,
      ...specs.flatMap(({ independentTest, scenarios }) => [independentTest, ...scenarios]),
    ]),
    priority: phase.priority ?? specs[0]?.priority ?? null,
    dependsOn,
    passes: isDone,
    notes: joinParagraphs(`From: ${phase.heading}`, noteOfDone(phase.tasks) ?? undefined),
  };
}

/** The specification of a story, with its title where the phase has another. */
function describeSpec({ title, description }: SpecStory, phaseTitle: string): readonly string[] {
  return title === phaseTitle ? [description] : [title, description];
}

function composeSpecStory(story: SpecStory, dependsOn: readonly string[]): unknown {
  return {
    id: storyIdOf(story.number),
    title: story.title,
    description: story.description || story.title,
    acceptanceCriteria: uniqueTexts([story.independentTest, ...story.scenarios]),
    priority: story.priority,
    dependsOn,
  };
}
