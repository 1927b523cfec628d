// A flag's value that is an object in JSON.
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** @throws InvalidArgumentError, which the command line tells as a wrong argument */
export function jsonObjectArgument(text: string): Record<string, unknown> {
  try {
    return object.parse(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError('Write an object in JSON, as {"ticket": "T-1"}.');
  }
}
