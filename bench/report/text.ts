// The report on the terminal: columns of text.
import type { MachineFacts } from '../measure/machine.ts';
import type { BenchRun } from '../measure/run.ts';
import { textTable } from './text-table.ts';
import { callRows, cycleRows, goals, idleRows, memoryRows, shareRows, submitRows } from './figures.ts';

export function textReport(run: BenchRun, facts: MachineFacts): string {
  const head = `${facts.date}, Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.system}`;
  const reached = goals(run).map(({ goal, wanted, got, met }) => [goal, wanted, got, met ? 'met' : 'not met']);
  const tables = [submitRows, shareRows, callRows, cycleRows, idleRows, memoryRows].map((rows) => textTable(rows(run)));
  return [head, ...tables, textTable([['goal', 'wanted', 'got', ''], ...reached])].join('\n\n') + '\n';
}
