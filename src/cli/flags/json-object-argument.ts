// Parses a flag's value as a JSON object.
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { tryParseJson } from '../../lib/json/json-text.ts';

const object = z.record(z.string(), z.unknown());

/** @throws InvalidArgumentError, which the command line reports as a wrong argument */
export function jsonObjectArgument(text: string): Record<string, unknown> {
  const parsed = object.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Write a JSON object, e.g. {"ticket": "T-1"}.');
}
