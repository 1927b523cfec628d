// The results of a run: rows of figures, and the goals with the reached values. Both reports are built from these.
import { a2aSends } from '../implementations/a2a.ts';
import { toolCalls } from '../implementations/tools.ts';
import { medianFigure, type Result } from '../measure/result.ts';
import type { BenchRun } from '../measure/run.ts';
import { median, medianRatio } from '../measure/statistics.ts';
import { machineFactor } from './baseline.ts';

export interface Goal {
  readonly goal: string;
  readonly wanted: string;
  readonly got: string;
  readonly met: boolean;
}

/** One row per implementation; the first row is the head. */
export function submitRows({ results }: BenchRun): string[][] {
  const rows = results
    .filter((result) => result.kind === 'submit')
    .map((result) => [
      result.name,
      result.what,
      formatInteger(medianFigure(result, 'perSecond')),
      ...cpuCells(result),
      ...(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((figure) => medianFigure(result, figure).toFixed(1)),
    ]);
  return [['submit', 'what', 'per second', ...cpuHeads, 'p50 ms', 'p95 ms', 'p99 ms'], ...rows];
}

export function cycleRows({ results }: BenchRun): string[][] {
  const rows = results
    .filter((result) => result.kind === 'cycle')
    .map((result) => [result.name, result.what, formatInteger(medianFigure(result, 'perSecond')), ...cpuCells(result)]);
  return [['whole cycle', 'what', 'per second', ...cpuHeads], ...rows];
}

/** The overhead of every call, measured separately. */
export function shareRows({ results }: BenchRun): string[][] {
  const rows = results
    .filter((result) => result.kind === 'share')
    .map((result) => [result.name, result.what, ...cpuCells(result)]);
  return [['share of a submit', 'what', ...cpuHeads], ...rows];
}

/** One task read, and the list of tools, by each endpoint. */
export function callRows({ results }: BenchRun): string[][] {
  const rows = results
    .filter((result) => result.kind === 'call')
    .map((result) => [result.name, result.what, ...cpuCells(result)]);
  return [['call', 'what', ...cpuHeads], ...rows];
}

const cpuHeads = ['CPU µs', 'server', 'store'];

function cpuCells(result: Result): string[] {
  return (['cpuMicros', 'serverCpuMicros', 'storeCpuMicros'] as const).map((figure) =>
    formatInteger(medianFigure(result, figure)),
  );
}

export function idleRows({ idle }: BenchRun): string[][] {
  const row = (name: string, pick: 'commit' | 'start'): string[] => [
    name,
    ...(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((figure) =>
      median(idle.map((round) => round[pick][figure])).toFixed(2),
    ),
  ];
  return [
    ['idle', 'p50 ms', 'p95 ms', 'p99 ms'],
    row('one INSERT with its COMMIT, in-process', 'commit'),
    row('submit over HTTP until the worker has the task', 'start'),
  ];
}

export function memoryRows({ memoryAtStart, memoryAfterLoad }: BenchRun): string[][] {
  return [
    ['memory of the service, without PostgreSQL', 'RSS MiB', 'PSS MiB'],
    memoryRow('after the start', memoryAtStart),
    memoryRow('after the load', memoryAfterLoad),
  ];
}

function memoryRow(when: string, { rssMib, pssMib }: BenchRun['memoryAtStart']): string[] {
  return [when, formatInteger(rssMib), formatInteger(pssMib)];
}

/** The goals that this run can judge. */
export function goals(run: BenchRun): Goal[] {
  const submit = findResult(run, 'submit', 'switchyard');
  const cycle = findResult(run, 'cycle', 'switchyard');
  const pipelineShare = findResult(run, 'share', 'request pipeline');
  const findPeer = (name: string, kind: Result['kind'] = 'submit'): Result | undefined => findResult(run, kind, name);
  const call = (name: string): Result | undefined => findResult(run, 'call', name);
  const withWebhook = findResult(run, 'cycle', 'switchyard, with webhook');
  const findByWhat = (what: string): Result | undefined => run.results.find((result) => result.what === what);
  const message = findByWhat(a2aSends.own);
  const [rest, list] = [call(toolCalls.rest), call(toolCalls.standardList)];
  const factor = machineFactor(run);
  return [
    ...atLeast(
      'submits per second against one INSERT a request',
      3,
      speedRatio(submit, findPeer('one INSERT a request')),
    ),
    ...atLeast('submits per second against a bare echo', 0.4, speedRatio(submit, findPeer('bare echo'))),
    ...atMostMicros('CPU of a submit, µs', 65, micros(submit), factor),
    ...atLeast('CPU of graphile-worker addJob against a submit', 15, cpuRatio(findPeer('graphile-worker'), submit)),
    ...atLeast('CPU of pg-boss send against a submit', 6, cpuRatio(findPeer('pg-boss'), submit)),
    ...atLeast('CPU of BullMQ add against a submit', 1, cpuRatio(findPeer('BullMQ'), submit)),
    ...atMostMicros('CPU of authentication, policy, tenancy and audit, µs', 25, micros(pipelineShare), factor),
    ...atMostMicros('CPU of a whole cycle, µs', 150, micros(cycle), factor),
    ...atLeast(
      'CPU of a statement per step against a whole cycle',
      6,
      cpuRatio(findPeer('a statement per step', 'cycle'), cycle),
    ),
    ...atMostMicros('CPU that a webhook adds to a whole cycle, µs', 40, addedMicros(withWebhook, cycle), factor),
    ...atLeast(
      "SendMessage per second against the SDK's database store",
      3,
      speedRatio(message, findByWhat(a2aSends.database)),
    ),
    ...atLeast(
      'SendMessage per CPU second against its in-memory store',
      1,
      cpuRatio(findByWhat(a2aSends.memory), message),
    ),
    ...atMost('CPU of a task by tool against GET, plain', 1.5, cpuRatio(call(toolCalls.plain), rest)),
    ...atMost('CPU of a task by tool against GET, standard', 1.5, cpuRatio(call(toolCalls.standard), rest)),
    ...atMostMicros('CPU of the list of tools, µs', 1000, micros(list), factor),
    ...atMost('submit to start when idle, in commits of the database', 1.5, idleRatio(run)),
    ...atMost('base memory, MiB (PSS after the start)', 120, run.memoryAtStart.pssMib),
  ];
}

function micros(result: Result | undefined): number | undefined {
  return result === undefined ? undefined : medianFigure(result, 'cpuMicros');
}

/** The cost of `more` beyond that of `less`, round by round. */
function addedMicros(more: Result | undefined, less: Result | undefined): number | undefined {
  if (more === undefined || less === undefined) return undefined;
  return median(more.rounds.map((round, i) => round.cpuMicros - (less.rounds[i]?.cpuMicros ?? Number.NaN)));
}

function idleRatio({ idle }: BenchRun): number {
  return medianRatio(
    idle.map((round) => round.start.p50Ms),
    idle.map((round) => round.commit.p50Ms),
  );
}

function speedRatio(ours: Result | undefined, theirs: Result | undefined): number | undefined {
  return ratio(ours, theirs, 'perSecond');
}

function cpuRatio(theirs: Result | undefined, ours: Result | undefined): number | undefined {
  return ratio(theirs, ours, 'cpuMicros');
}

function ratio(
  above: Result | undefined,
  below: Result | undefined,
  figure: 'perSecond' | 'cpuMicros',
): number | undefined {
  if (above === undefined || below === undefined) return undefined;
  return medianRatio(
    above.rounds.map((round) => round[figure]),
    below.rounds.map((round) => round[figure]),
  );
}

function findResult({ results }: BenchRun, kind: Result['kind'], name: string): Result | undefined {
  return results.find((result) => result.kind === kind && result.name === name);
}

function atLeast(goal: string, wanted: number, got: number | undefined): Goal[] {
  return got === undefined ? [] : [{ goal, wanted: `≥ ${wanted}`, got: formatNumber(got), met: got >= wanted }];
}

function atMost(goal: string, wanted: number, got: number | undefined): Goal[] {
  return got === undefined ? [] : [{ goal, wanted: `≤ ${wanted}`, got: formatNumber(got), met: got <= wanted }];
}

/** Scales a goal in CPU time, set on another machine, by this machine's relative speed as measured by the peers. */
function atMostMicros(goal: string, reference: number, got: number | undefined, factor: number | undefined): Goal[] {
  if (got === undefined) return [];
  const wanted = reference * (factor ?? 1);
  const wantedText =
    factor === undefined ? `≤ ${reference}` : `≤ ${formatNumber(wanted)} (${reference} × ${factor.toFixed(2)})`;
  return [{ goal, wanted: wantedText, got: formatNumber(got), met: got <= wanted }];
}

function formatNumber(value: number): string {
  return value >= 100 ? formatInteger(value) : value.toFixed(2);
}

function formatInteger(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
