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
before them warm all of them up and are not counted. Ratios are computed round by round; they matter, not the speed of the machine.

## Durable submit, ${size.connections} callers at once

Over HTTP: authenticated, validated, isolated by tenant, answered after the commit (\`fsync\` on). The bounds (echo,
group commit, INSERT) only parse JSON: no submit over node:http and PostgreSQL is faster here than the bare group commit.
The peers are called in their own process without HTTP. All implementations on PostgreSQL share one server. CPU is the time of the server's process and of its database for one operation; the load generator is another process
and not counted.

The official A2A SDK is measured as the server that it ships: its JSON-RPC handler on Express, with each of its stores.
The goals compare with that. Its handler alone on bare node:http is not a server of the SDK; it shows the protocol's share
of the cost. One service process is measured throughout, as a user runs it.

${markdownTable(submitRows(run))}

## Authentication, policy and audit

The cost of every call beside its work, in the service's own parts without HTTP and without a task: the credential is
identified, the policy is asked, the intent is rendered for the commit, and the audit's line is linked, written to disk
(\`fsync\`) and copied to the database. The tenant is set once for each commit.

${markdownTable(shareRows(run))}

## Whole cycle

${size.cycleOperations.toLocaleString('en-US')} tasks a round, submitted by ${size.connections} callers, pushed to a worker in a process of its own, completed over HTTP. A
statement per step is the same without push, tenants and log: \`INSERT\`, \`UPDATE … SKIP LOCKED\`, \`UPDATE\`. One signed POST
is the cost of a webhook that is not recorded.

${markdownTable(cycleRows(run))}

## The tool protocol beside REST

The same task read by \`GET\` and by the tool \`get_task\`, and all tools listed.

${markdownTable(callRows(run))}

## Idle

${size.idleOperations} operations of each kind a round, one after the other, without other load.

${markdownTable(idleRows(run))}

## Memory

${markdownTable(memoryRows(run))}

## Goals

Goals in microseconds were set on another machine, where the peers' costs were measured too (a statement per step 988,
graphile-worker 1,012, pg-boss 631, BullMQ 68). The factor is this run's peer cost divided by that figure.

${markdownTable([['goal', 'wanted', 'got', 'met'], ...reached])}
`;
}
