// Parses a flag's value as a key result: a title, and the way of a number where one follows.
import { InvalidArgumentError } from 'commander';
import type { KeyResultWire } from '../../contracts/okr/okr.ts';

export interface KeyResultFlag {
  readonly title: string;
  readonly measure?: KeyResultWire['measure'];
}

const number = '-?\\d+(?:\\.\\d+)?';
const way = new RegExp(`^(${number})\\.\\.(${number})(?: +(\\S.*))?$`);

/**
 * `audit passed`, `audit passed=milestone`, `stories done=tasks`, `median below 200 ms=800..200 ms`.
 * @throws InvalidArgumentError, which is reported as a wrong argument
 */
export function keyResultArgument(text: string): KeyResultFlag {
  const at = text.lastIndexOf('=');
  const title = (at < 0 ? text : text.slice(0, at)).trim();
  if (title === '') throw new InvalidArgumentError('Write a title.');
  return at < 0 ? { title } : { title, measure: measureArgument(text.slice(at + 1)) };
}

/** `manual`, `milestone`, `tasks`, `800..200 ms`. @throws InvalidArgumentError */
export function measureArgument(text: string): KeyResultWire['measure'] {
  const kind = text.trim();
  if (kind === 'manual' || kind === 'milestone' || kind === 'tasks') return { kind };
  const [, start, target, unit] = way.exec(kind) ?? [];
  if (start === undefined || target === undefined) {
    throw new InvalidArgumentError('Write manual, milestone, tasks, or START..TARGET and a unit, e.g. 800..200 ms.');
  }
  return { kind: 'number', start: Number(start), target: Number(target), ...(unit === undefined ? {} : { unit }) };
}
