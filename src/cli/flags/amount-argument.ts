// Parses a flag's value as an amount above zero.
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError, which the command line reports as a wrong argument */
export function amountArgument(text: string): number {
  const amount = /^\d{1,12}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : NaN;
  if (amount > 0) return amount;
  throw new InvalidArgumentError('Write a number above zero.');
}
