// docs/REQUIREMENTS.md lists the requirements, so that an id in the code leads somewhere; `npm run docs` writes it.
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { requirementList } from '../requirements/requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pagePath = path.join(root, 'docs/REQUIREMENTS.md');

/** A reference such as `core-4.2` or `choices-3.14` in a comment or title. */
const reference = /\b(?:core|tools|choices|runs|ui|platform|marketing|teams)-\d+(?:\.\d+)*\b/g;

const chapters: Readonly<Record<string, string>> = {
  'core-1': 'What the service does',
  'core-2': 'Resources and their fields',
  'core-3': 'States and transitions',
  'core-4': 'Endpoints',
  'core-5': 'Authentication, policy, isolation',
  'core-6': 'Events',
  'core-7': 'Errors',
  'core-8': 'Limits',
  'core-9': 'Versioning',
  'tools-1': 'Tools, marketing and runs',
  'tools-2': 'Resources of tools, runs and marketing',
  'tools-3': 'States of runs and marketing records',
  'tools-4': 'Tool protocol and tools',
  'tools-5': 'Authentication of the tool protocol',
  'tools-7': 'Errors of tools',
  'tools-8': 'Limits of tools and runs',
  'runs-5': 'States of runs',
  'runs-6': 'Interface of runs',
  'runs-7': 'The director of runs',
  'runs-8': 'Steps of runs',
  'runs-9': 'Prompts, learnings, commits',
  'runs-10': 'Gates and evidence',
  'runs-11': 'Failures, waits and budgets of runs',
  'runs-12': 'Landing, bundles, branches',
  'runs-13': 'PRD documents and PRD chat',
  'runs-14': 'Large contexts',
  'runs-18': 'Runs among tasks',
  'runs-19': 'Prices and rate limits',
  'ui-3': 'Frame of the monitor UI',
  'ui-4': 'Screens of the monitor UI',
  'ui-5': 'Output and changes',
  'ui-6': 'Calls of the monitor UI',
  'ui-7': 'Security of the pages',
  'ui-8': 'Accessibility and words',
  'ui-9': 'Look of the pages',
  'ui-11': 'Build and serving of the pages',
  'ui-12': 'Budgets of the pages',
  'ui-13': 'Tests of the pages',
  'ui-16': 'Controls and addresses of the pages',
  'platform-1': 'Cluster manager',
  'platform-2': 'Deployment to Kubernetes',
  'platform-3': 'Cron jobs',
  'platform-4': 'Objectives and key results',
  'platform-5': 'Analytics',
  'platform-6': 'Backup and restore',
  'platform-7': 'Scale',
  'platform-10': 'The platform, settled further',
  'choices-0': 'The program',
  'choices-1': 'Running it',
  'choices-2': 'States',
  'choices-3': 'Shapes',
  'choices-4': 'Credentials, roles, permissions',
  'choices-5': 'Worker protocol',
  'choices-6': 'A2A',
  'choices-7': 'Tool protocol',
  'choices-8': 'Webhooks',
  'choices-9': 'Idempotency and limits',
  'choices-10': 'The small families',
};

function sectionOf(id: string): string {
  const parts = id.split('.');
  return parts.length > 2 ? parts.slice(0, -1).join('.') : (parts[0] ?? id);
}

function renderPage(): string {
  const lines = Object.entries(chapters).flatMap(([chapter, title]) => {
    const own = requirementList.filter(({ id }) => id.split('.')[0] === chapter);
    const bySection = Map.groupBy(own, ({ id }) => sectionOf(id));
    const sections = [...bySection].flatMap(([section, items]) => [
      ...(section === chapter || section.endsWith('.0') ? [] : ['', `### ${section}`]),
      '',
      ...items.map(({ id, text }) => `- **${id}** ${text.replaceAll(/[<>]/g, String.raw`\$&`)}`),
    ]);
    return ['', `## ${chapter}: ${title}`, ...sections];
  });
  return `# Requirements

What the program has to do, one testable statement each. Comments and tests name the ids: \`core\` is the service core,
\`tools\` covers tools and marketing, \`runs\` autonomous runs and PRD chat, \`ui\` the monitor UI, and \`choices\` settles what those leave open.
\`node test/requirements/list.ts missing\` prints the statements that no test cites yet.
This page is generated from \`test/requirements\` by \`npm run docs\`.
${lines.join('\n')}
`;
}

it('the page of requirements is current', async () => {
  const page = renderPage();
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(pagePath, page);
  expect(await readFile(pagePath, 'utf8')).toBe(page);
});

it('every requirement belongs to a chapter of the page', () => {
  expect(requirementList.filter(({ id }) => chapters[id.split('.')[0] ?? ''] === undefined)).toEqual([]);
});

it('every reference in the code leads to a requirement, its section or its chapter', async () => {
  const known = new Set([...Object.keys(chapters), ...requirementList.flatMap(({ id }) => [id, sectionOf(id)])]);
  const lost: string[] = [];
  for await (const file of glob(['{src,bench}/**/*.{ts,sql}'], { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [id] of text.matchAll(reference)) if (!known.has(id)) lost.push(`${file}: ${id}`);
  }
  expect(lost).toEqual([]);
});
