// Parses a flag's value as a number.
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError, which the command line reports as a wrong argument */
export function numberArgument(text: string): number {
  if (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(text.trim())) return Number(text);
  throw new InvalidArgumentError('Write a number, e.g. 12.5.');
}
