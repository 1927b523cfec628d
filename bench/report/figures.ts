// What a run says: rows of figures, and the goals with what was reached. The texts of both reports are made of these.
import { a2aSends } from '../contestants/a2a.ts';
import { toolCalls } from '../contestants/tools.ts';
import { middle, type Result } from '../measure/result.ts';
import type { Run } from '../measure/run.ts';
import { median, medianRatio } from '../measure/statistics.ts';
import { machineFactor } from './yardstick.ts';

export interface Goal {
  readonly goal: string;
  readonly wanted: string;
  readonly got: string;
  readonly met: boolean;
}

/** One line for each contestant; the first is the head. */
export function submitRows({ results }: Run): string[][] {
  const rows = results
    .filter((result) => result.kind === 'submit')
    .map((result) => [
      result.name,
      result.what,
      whole(middle(result, 'perSecond')),
      ...cpuCells(result),
      ...(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((figure) => middle(result, figure).toFixed(1)),
    ]);
  return [['submit', 'what', 'per second', ...cpuHeads, 'p50 ms', 'p95 ms', 'p99 ms'], ...rows];
}

export function cycleRows({ results }: Run): string[][] {
  const rows = results
    .filter((result) => result.kind === 'cycle')
    .map((result) => [result.name, result.what, whole(middle(result, 'perSecond')), ...cpuCells(result)]);
  return [['whole cycle', 'what', 'per second', ...cpuHeads], ...rows];
}

/** What every call pays beside its work, measured alone. */
export function shareRows({ results }: Run): string[][] {
  const rows = results
    .filter((result) => result.kind === 'share')
    .map((result) => [result.name, result.what, ...cpuCells(result)]);
  return [['share of a submit', 'what', ...cpuHeads], ...rows];
}

/** One task read, and the list of tools, by the doors that there are. */
export function callRows({ results }: Run): string[][] {
  const rows = results
    .filter((result) => result.kind === 'call')
    .map((result) => [result.name, result.what, ...cpuCells(result)]);
  return [['call', 'what', ...cpuHeads], ...rows];
}

const cpuHeads = ['CPU µs', 'server', 'store'];

function cpuCells(result: Result): string[] {
  return (['cpuMicros', 'serverCpuMicros', 'storeCpuMicros'] as const).map((figure) => whole(middle(result, figure)));
}

export function idleRows({ idle }: Run): string[][] {
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

export function memoryRows({ memoryAtStart, memoryAfterLoad }: Run): string[][] {
  return [
    ['memory of the service, without PostgreSQL', 'RSS MiB', 'PSS MiB'],
    memoryRow('after the start', memoryAtStart),
    memoryRow('after the load', memoryAfterLoad),
  ];
}

function memoryRow(when: string, { rssMib, pssMib }: Run['memoryAtStart']): string[] {
  return [when, whole(rssMib), whole(pssMib)];
}

/** The goals that this run can judge. */
export function goals(run: Run): Goal[] {
  const submit = find(run, 'submit', 'switchyard');
  const cycle = find(run, 'cycle', 'switchyard');
  const shared = find(run, 'share', 'the hallway');
  const against = (name: string, kind: Result['kind'] = 'submit'): Result | undefined => find(run, kind, name);
  const call = (name: string): Result | undefined => find(run, 'call', name);
  const told = find(run, 'cycle', 'switchyard, told');
  const sent = (what: string): Result | undefined => run.results.find((result) => result.what === what);
  const message = sent(a2aSends.own);
  const [rest, list] = [call(toolCalls.rest), call(toolCalls.standardList)];
  const factor = machineFactor(run);
  return [
    ...atLeast(
      'submits per second against one INSERT a request',
      3,
      speedRatio(submit, against('one INSERT a request')),
    ),
    ...atLeast('submits per second against a bare echo', 0.4, speedRatio(submit, against('bare echo'))),
    ...atMostMicros('CPU of a submit, µs', 65, micros(submit), factor),
    ...atLeast('CPU of graphile-worker addJob against a submit', 15, cpuRatio(against('graphile-worker'), submit)),
    ...atLeast('CPU of pg-boss send against a submit', 6, cpuRatio(against('pg-boss'), submit)),
    ...atLeast('CPU of BullMQ add against a submit', 1, cpuRatio(against('BullMQ'), submit)),
    ...atMostMicros('CPU of authentication, policy, tenancy and audit, µs', 25, micros(shared), factor),
    ...atMostMicros('CPU of a whole cycle, µs', 150, micros(cycle), factor),
    ...atLeast(
      'CPU of a statement per step against a whole cycle',
      6,
      cpuRatio(against('a statement per step', 'cycle'), cycle),
    ),
    ...atMostMicros('CPU that a webhook adds to a whole cycle, µs', 40, added(told, cycle), factor),
    ...atLeast(
      "SendMessage per second against the SDK's database store",
      3,
      speedRatio(message, sent(a2aSends.database)),
    ),
    ...atLeast('SendMessage per CPU second against its in-memory store', 1, cpuRatio(sent(a2aSends.memory), message)),
    ...atMost('CPU of a task by tool against GET, plain', 1.5, cpuRatio(call(toolCalls.plain), rest)),
    ...atMost('CPU of a task by tool against GET, standard', 1.5, cpuRatio(call(toolCalls.standard), rest)),
    ...atMostMicros('CPU of the list of tools, µs', 1000, micros(list), factor),
    ...atMost('submit to start when idle, in commits of the database', 1.5, idleRatio(run)),
    ...atMost('base memory, MiB (PSS after the start)', 120, run.memoryAtStart.pssMib),
  ];
}

function micros(result: Result | undefined): number | undefined {
  return result === undefined ? undefined : middle(result, 'cpuMicros');
}

/** What `more` costs beyond `less`, round by round. */
function added(more: Result | undefined, less: Result | undefined): number | undefined {
  if (more === undefined || less === undefined) return undefined;
  return median(more.rounds.map((round, i) => round.cpuMicros - (less.rounds[i]?.cpuMicros ?? Number.NaN)));
}

function idleRatio({ idle }: Run): number {
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

function find({ results }: Run, kind: Result['kind'], name: string): Result | undefined {
  return results.find((result) => result.kind === kind && result.name === name);
}

function atLeast(goal: string, wanted: number, got: number | undefined): Goal[] {
  return got === undefined ? [] : [{ goal, wanted: `≥ ${wanted}`, got: short(got), met: got >= wanted }];
}

function atMost(goal: string, wanted: number, got: number | undefined): Goal[] {
  return got === undefined ? [] : [{ goal, wanted: `≤ ${wanted}`, got: short(got), met: got <= wanted }];
}

/** A goal in CPU time was set on another machine: here it is that times as slow as the peers show this one to be. */
function atMostMicros(goal: string, there: number, got: number | undefined, factor: number | undefined): Goal[] {
  if (got === undefined) return [];
  const wanted = there * (factor ?? 1);
  const words = factor === undefined ? `≤ ${there}` : `≤ ${short(wanted)} (${there} × ${factor.toFixed(2)})`;
  return [{ goal, wanted: words, got: short(got), met: got <= wanted }];
}

function short(value: number): string {
  return value >= 100 ? whole(value) : value.toFixed(2);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
