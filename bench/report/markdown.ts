// The report as its part of docs/PERFORMANCE.md.
import type { MachineFacts } from '../measure/machine.ts';
import type { BenchRun } from '../measure/run.ts';
import { markdownTable } from './markdown-table.ts';
import { callRows, cycleRows, goals, idleRows, memoryRows, shareRows, submitRows } from './figures.ts';

export function markdownReport(run: BenchRun, facts: MachineFacts): string {
  const { size } = run;
  const reached = goals(run).map(({ goal, wanted, got, met }) => [goal, wanted, got, met ? 'yes' : 'no']);
  return `Written by \`${facts.command}\` on ${facts.date}: Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.memoryGib} GiB, ${facts.system}.
Figures are medians of ${size.rounds} rounds of ${size.roundMs / 1000} s; in each round every implementation takes its turn; ${size.warmUpRounds} rounds
before them warm all up and are not counted. Ratios are taken round by round. The machine's own speed is not the point: the ratios are.

## Durable submit, ${size.connections} callers at once

Over HTTP: authenticated, validated, isolated by tenant, answered after the commit (\`fsync\` on). The bounds (echo,
group commit, INSERT) do none of that but the parsing of JSON: no submit over node:http and PostgreSQL is faster here
than the bare group commit. The peers are called in their own process without HTTP. All that stand on PostgreSQL share
one server. CPU is that of the server's process and of its database for one operation; the load generator is a process
of its own and not counted.

The official A2A SDK is measured as the server that it ships, its JSON-RPC handler on Express, with each of its stores;
the goals compare with that. Its handler alone on bare node:http is no server of the SDK's: it shows what of the cost is
the protocol's. One service process takes part in all of it, as a user runs it.

${markdownTable(submitRows(run))}

## Who may do it, and that it was done

What every call pays beside its work, in the service's own parts without HTTP and without a task: the credential
recognised, the policy asked, the intent rendered for the commit, the audit's line linked, on disk (\`fsync\`) and copied
to the database. The tenant itself is set once for each commit.

${markdownTable(shareRows(run))}

## Whole cycle

${size.cycleOperations.toLocaleString('en-US')} tasks a round, submitted by ${size.connections} callers, pushed to a worker in a process of its own, completed over HTTP. A
statement per step is the same without push, tenants and log: \`INSERT\`, \`UPDATE … SKIP LOCKED\`, \`UPDATE\`. One signed POST
is what a webhook costs when nothing is written down of it.

${markdownTable(cycleRows(run))}

## The tool protocol beside REST

The same task read by \`GET\` and by the tool \`get_task\`, and all tools listed.

${markdownTable(callRows(run))}

## Idle

One after the other, ${size.idleOperations} of each a round, nothing else going on.

${markdownTable(idleRows(run))}

## Memory

${markdownTable(memoryRows(run))}

## Goals

A goal in microseconds was set on another machine, where the peers' costs were measured too (a statement per step 988,
graphile-worker 1,012, pg-boss 631, BullMQ 68). What the peers of this run cost here, against that, is the factor.

${markdownTable([['goal', 'wanted', 'got', 'met'], ...reached])}
`;
}
