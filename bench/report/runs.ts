// The report of the director of runs: on the terminal, and as its part of docs/PERFORMANCE.md.
import type { MachineFacts } from '../measure/machine.ts';
import type { CpuShares, RunFigures } from '../measure/runs.ts';
import { markdownTable } from './markdown-table.ts';
import { textTable } from './text-table.ts';

export function runsText(figures: RunFigures, facts: MachineFacts): string {
  const head = `${facts.date}, Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.system}`;
  return [head, textTable(idleRows(figures)), textTable(goalRows(figures))].join('\n\n') + '\n';
}

export function runsMarkdown(figures: RunFigures, facts: MachineFacts): string {
  return `## The director of runs

Written by \`${facts.command}\` on ${facts.date}: Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.memoryGib} GiB, ${facts.system}.
Of the ${figures.waitingRuns} runs 50 wait for a worker and the others for their turn. The share of waiting runs is what they add to
an idle service and its database. Statements are counted on the wire, without begin, commit and the setting of the tenant.
The time to the next task is from the answer to a finished step until the next step's task stands in the database, for
${figures.steps} steps of one run with one worker.

${markdownTable(idleRows(figures))}

${markdownTable(goalRows(figures))}
`;
}

function idleRows({ waitingRuns, alone, waiting }: RunFigures): string[][] {
  const row = (what: string, { service, store }: CpuShares): string[] => [what, percent(service), percent(store)];
  return [
    ['idle', 'service, % of a core', 'database, % of a core'],
    row('no run', alone),
    row(`${waitingRuns} waiting runs`, waiting),
  ];
}

function goalRows({ waitingRuns, alone, waiting, statementsPerLook, nextTask }: RunFigures): string[][] {
  const added = (waiting.service + waiting.store - alone.service - alone.store) * 100;
  const row = (goal: string, most: number, got: number, digits: number): string[] => [
    goal,
    `≤ ${most}`,
    Math.max(0, got).toFixed(digits),
    got <= most ? 'yes' : 'no',
  ];
  return [
    ['goal', 'wanted', 'got', 'met'],
    row(`${waitingRuns} waiting runs, % of a core`, 1, added, 2),
    row('statements of a look that changes nothing', 2, statementsPerLook, 2),
    row('finished step to the next task, p50 ms', 50, nextTask.p50Ms, 1),
    // Without a goal of its own.
    ['finished step to the next task, p99 ms', '', nextTask.p99Ms.toFixed(1), ''],
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}
