// Parses a flag's value as a duration.
import { InvalidArgumentError } from 'commander';

const secondsOf: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `30m`, `8h`, `2d`. @returns seconds @throws InvalidArgumentError, which is reported as a wrong argument */
export function durationArgument(text: string): number {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (secondsOf[unit ?? 'x'] ?? NaN);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('Write a duration such as 90s, 30m, 8h or 2d.');
}
