// The report of connected workers: on the terminal, and as its part of docs/PERFORMANCE.md.
import type { ConnectedFigures, Footprint, Idle, Spread } from '../measure/connected.ts';
import type { MachineFacts } from '../measure/machine.ts';
import { markdownTable } from './markdown-table.ts';
import { textTable } from './text-table.ts';

export function connectedText(figures: ConnectedFigures, facts: MachineFacts): string {
  const head = `${facts.date}, Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.system}`;
  const tables = [timeRows, memoryRows, idleRows, spreadRows, goalRows].map((rows) => textTable(rows(figures)));
  return [head, ...tables].join('\n\n') + '\n';
}

export function connectedMarkdown(figures: ConnectedFigures, facts: MachineFacts): string {
  const { workers, broadcasts } = figures;
  return `## Connected workers

Written by \`${facts.command}\` on ${facts.date}: Node ${facts.node}, ${facts.cores} cores (${facts.processor}), ${facts.memoryGib} GiB, ${facts.system}.
${formatInteger(workers)} workers of one tenant, each with its push channel to one replica, held by two other processes on the same
machine. Memory is the service's own, without PostgreSQL, after a collection of garbage; what the kernel keeps for
sockets is not in it. The first half warms the process up (young generation, compiled code), whatever it does; the second
says what a connection costs.

${markdownTable(timeRows(figures))}

${markdownTable(memoryRows(figures))}

Idle: what the service does by itself, first with nobody there, then with all channels open, no worker saying anything.
Transactions are counted by the database.

${markdownTable(idleRows(figures))}

To reach all: a frame of the service's own heartbeat, from the first worker that has it to each; and a task that all
could take and none is given, from its submit (its commit included) to the hint at each, ${broadcasts} times. A heartbeat that
a worker posts (each one every 20 seconds, ${formatInteger(workers / 20)} a second) takes ${formatInteger(figures.posted.cpuMicros)} µs of the service's CPU, ${formatInteger(figures.posted.storeCpuMicros)} µs of the
database's and ${figures.posted.commits.toFixed(2)} transactions.

${markdownTable(spreadRows(figures))}

${markdownTable(goalRows(figures))}
`;
}

function timeRows({ workers, registeredMs, connectedMs, reconnectedMs }: ConnectedFigures): string[][] {
  const row = (what: string, ms: number): string[] => [
    what,
    (ms / 1000).toFixed(1),
    formatInteger((workers * 1000) / ms),
  ];
  return [
    ['until all of them are', 'seconds', 'per second'],
    row('registered', registeredMs),
    row('connected', connectedMs),
    row('connected again, after all were cut off', reconnectedMs),
  ];
}

function memoryRows({ workers, memory: { alone, half, connected } }: ConnectedFigures): string[][] {
  const fields = ['rssMib', 'pssMib', 'heapMib'] as const;
  const row = (what: string, of: Footprint): string[] => [what, ...fields.map((field) => formatInteger(of[field]))];
  const each = (field: (typeof fields)[number]): string =>
    (((connected[field] - half[field]) * 1024 * 2) / workers).toFixed(1);
  return [
    ['memory', 'RSS MiB', 'PSS MiB', 'heap MiB'],
    row('nobody connected', alone),
    row('half of them connected', half),
    row('all connected', connected),
    ['for each of the second half, KiB', ...fields.map(each)],
  ];
}

function idleRows({ idle }: ConnectedFigures): string[][] {
  const row = (what: string, of: Idle): string[] => [
    what,
    of.commitsPerSecond.toFixed(1),
    percent(of.cpuShare),
    percent(of.storeCpuShare),
  ];
  return [
    ['idle', 'transactions a second', 'service, % of a core', 'database, % of a core'],
    row('nobody', idle.alone),
    row('all connected', idle.connected),
  ];
}

function spreadRows({ heartbeat, broadcast, posted }: ConnectedFigures): string[][] {
  const row = (what: string, of: Spread): string[] => [
    what,
    formatInteger(of.count),
    ...[of.p50Ms, of.p99Ms, of.maxMs].map((ms) => ms.toFixed(1)),
  ];
  return [
    ['to reach', 'frames', 'p50 ms', 'p99 ms', 'last ms'],
    row('all with a heartbeat', heartbeat),
    row('all with a task', broadcast),
    row('the service with a heartbeat', posted),
  ];
}

/** The goals: 10,000 connections in 200 MB, that is 20 kB for each; broadcast; no query for an idle one. */
function goalRows({ workers, memory, idle, broadcast }: ConnectedFigures): string[][] {
  const megabytes = ((memory.connected.pssMib - memory.alone.pssMib) * 2 ** 20) / 1e6;
  const allowed = (200 * workers) / 10_000;
  const more = (idle.connected.commitsPerSecond - idle.alone.commitsPerSecond) / workers;
  const row = (goal: string, most: number, got: number, shown: string): string[] => [
    goal,
    `≤ ${most}`,
    shown,
    got <= most ? 'yes' : 'no',
  ];
  return [
    ['goal', 'wanted', 'got', 'met'],
    row(`${formatInteger(workers)} connections, MB`, allowed, megabytes, megabytes.toFixed(0)),
    row('broadcast, p99 ms', 250, broadcast.p99Ms, broadcast.p99Ms.toFixed(0)),
    row('transactions a second for an idle worker', 0.001, more, Math.max(0, more).toFixed(5)),
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function formatInteger(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
