// Schemas of tools as models read them: JSON Schema without what costs tokens and tells nothing.
import type { z } from 'zod';
import { isObject } from '../../wire/rpc-envelope.ts';
import { jsonSchema } from '../../pipeline/schema.ts';

export type PublishedSchema = { readonly type: 'object'; readonly [key: string]: unknown };

/**
 * The schema of a tool's arguments or result. Bounds that every integer has, patterns of formats that have a name, and
 * the empty schema of further members are left out: the validator holds arguments to the whole.
 * @throws when it is no object, or JSON Schema cannot express it: the start stops
 */
export function toPublishedSchema(schema: z.ZodType): PublishedSchema {
  const { $schema: _, ...short } = asMembers(withoutNoise(jsonSchema(schema)));
  if (short['type'] !== 'object') throw new Error('A tool takes and gives objects.');
  return { ...short, type: 'object' };
}

function asMembers(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => !isNoise(value, key, member));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNoise(member)]));
}

function isNoise(schema: Record<string, unknown>, key: string, member: unknown): boolean {
  if (key === 'minimum' || key === 'maximum') return Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER;
  if (key === 'pattern') return 'format' in schema;
  if (key === 'additionalProperties') return isObject(member) && Object.keys(member).length === 0;
  return key === 'propertyNames' && 'type' in schema;
}
