// The report of the pages: on the terminal, and as its part of docs/PERFORMANCE.md.
import type { MachineFacts } from '../measure/machine.ts';
import type { FrameFigures } from '../measure/ui/browser.ts';
import type { UiFigures } from '../measure/ui/pages.ts';
import { markdownTable } from './markdown-table.ts';
import { textTable } from './text-table.ts';

export function uiText(figures: UiFigures, facts: MachineFacts): string {
  const head = `${facts.date}, Node ${facts.node}, ${facts.cores} cores (${facts.processor}), load ${figures.load.toFixed(1)}`;
  return `${[head, ...tablesOf(figures).map(textTable)].join('\n\n')}\n`;
}

export function uiMarkdown(figures: UiFigures, facts: MachineFacts): string {
  const { size, rounds, load } = figures;
  return `## The pages

Written by \`${facts.command}\` on ${facts.date}: Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.memoryGib} GiB, ${facts.system},
load of the machine at the start ${load.toFixed(1)}. Medians of ${rounds} rounds in headless Chromium without a graphics card, 1280 by 800 pixels.
The tenant has ${size.tasks} tasks, a log of ${size.lines} lines that grows by 500 a second meanwhile, and a diff of ${size.files} files.
Boot is the list of tasks with an empty cache; throttled is a processor four times slower with 1.6 Mbit/s and 150 ms.
Frames are counted for four seconds each; those of an empty page in the same round say what the machine loses by itself.

${tablesOf(figures).map(markdownTable).join('\n\n')}
`;
}

function tablesOf({ boot, throttledBoot, views, keys }: UiFigures): string[][][] {
  return [
    [
      ['boot', 'wanted, heading', 'heading', 'first rows', 'files', 'data'],
      [
        'plain',
        '≤ 800 ms',
        ms(boot.headingMs),
        ms(boot.firstRowMs),
        kilobytes(boot.fileBytes),
        kilobytes(boot.dataBytes),
      ],
      [
        'throttled',
        '≤ 3500 ms',
        ms(throttledBoot.headingMs),
        ms(throttledBoot.firstRowMs),
        kilobytes(throttledBoot.fileBytes),
        kilobytes(throttledBoot.dataBytes),
      ],
    ],
    [
      ['frames over 33 ms', 'empty page', 'at 3,600 px/s', 'at 90,000 px/s', 'p95 of the flick', 'heap', 'nodes'],
      ...views.map(({ name, empty, slow, flick, heapBytes, nodes }) => [
        name,
        share(empty),
        share(slow),
        share(flick),
        ms(flick.p95Ms),
        `${(heapBytes / 1e6).toFixed(0)} MB`,
        String(nodes),
      ]),
    ],
    [
      ['key', 'view', 'wanted', 'to the next paint'],
      ...keys.map(({ view, key, ms: took }) => [`\`${key}\``, view, '≤ 100 ms', took <= 16 ? '≤ 16 ms' : ms(took)]),
    ],
  ];
}

function share({ late, frames }: FrameFigures): string {
  return `${late} of ${frames}`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
