// The report on the terminal: columns of text.
import type { MachineFacts } from '../measure/machine.ts';
import type { Run } from '../measure/run.ts';
import { callRows, cycleRows, goals, idleRows, memoryRows, shareRows, submitRows } from './figures.ts';

export function textReport(run: Run, facts: MachineFacts): string {
  const head = `${facts.date}, Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.system}`;
  const reached = goals(run).map(({ goal, wanted, got, met }) => [goal, wanted, got, met ? 'met' : 'not met']);
  const tables = [submitRows, shareRows, callRows, cycleRows, idleRows, memoryRows].map((rows) => table(rows(run)));
  return [head, ...tables, table([['goal', 'wanted', 'got', ''], ...reached])].join('\n\n') + '\n';
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
