// Parses a flag's value as an integer.
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError, which the command line reports as a wrong argument */
export function integerArgument(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number.');
}
