// Objectives, key results and runs as text for people.
import type { KeyResultWire, OkrWire } from '../../contracts/okr/okr.ts';
import type { OkrRunWire } from '../../contracts/okr/okr-run.ts';
import { shorten, singleLine } from '../core/output.ts';

export function describeOkr(okr: OkrWire): string {
  const decided =
    okr.decided_by === null
      ? []
      : [
          `  decided:   by ${singleLine(okr.decided_by)}${okr.decision_reason === null ? '' : `: ${singleLine(okr.decision_reason)}`}`,
        ];
  const lines = [
    `${okr.okr_id}  ${shorten(okr.objective, 100)}`,
    `  status:    ${okr.status}, ${okr.progress} %`,
    `  owner:     ${singleLine(okr.owner)}${okr.target_date === null ? '' : `, due ${okr.target_date}`}`,
    ...(okr.description === null ? [] : [`  about:     ${shorten(okr.description, 100)}`]),
    ...(okr.tags.length === 0 ? [] : [`  tags:      ${singleLine(okr.tags.join(', '))}`]),
    ...decided,
    ...(okr.open_run_id === null ? [] : [`  open run:  ${okr.open_run_id}`]),
    ...okr.key_results.map((keyResult) => `  ${keyResultLine(keyResult)}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function keyResultLine({ key_result_id, title, progress, status, measure, current }: KeyResultWire): string {
  const unit = measure.kind === 'number' && measure.unit !== undefined ? ` ${measure.unit}` : '';
  const number =
    measure.kind === 'number'
      ? `  (${measure.start} to ${measure.target}${singleLine(unit)}, now ${current ?? '-'})`
      : '';
  return `${key_result_id}  ${`${progress} %`.padStart(7)}  ${status.padEnd(11)}  ${shorten(title, 80)}${number}`;
}

/** @param titles of key results, by id */
export function describeRun(run: OkrRunWire, titles: ReadonlyMap<string, string>): string {
  const lines = [
    `${run.run_id}  ${run.status}, ${run.mode}`,
    ...(run.error === null ? [] : [`  ${run.error.code}: ${singleLine(run.error.message)}`]),
    ...run.items.map((item) => `  ${itemLine(item, titles)}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function itemLine(item: OkrRunWire['items'][number], titles: ReadonlyMap<string, string>): string {
  const progress = item.progress_after === null ? '' : `  ${item.progress_before} % to ${item.progress_after} %`;
  const title = shorten(titles.get(item.key_result_id) ?? item.key_result_id, 60);
  const task = item.task_id === null ? '' : `  task ${item.task_id}`;
  const summary = item.summary === null ? '' : `\n    ${shorten(item.summary, 160)}`;
  return `${item.status.padEnd(10)}  ${title}${progress}${task}${summary}`;
}

export function titlesOf(okr: OkrWire): ReadonlyMap<string, string> {
  return new Map(okr.key_results.map(({ key_result_id, title }) => [key_result_id, title]));
}
