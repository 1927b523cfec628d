// The schemas of tools as published to models: JSON Schema without members that cost tokens and add no information.
import type { z } from 'zod';
import { isObject } from '../../wire/rpc-envelope.ts';
import { jsonSchema } from '../../pipeline/schema.ts';

export type PublishedSchema = { readonly type: 'object'; readonly [key: string]: unknown };

/**
 * The schema of a tool's arguments or result. Leaves out the bounds that every integer has, the patterns of named
 * formats, and the empty schema of additional members; the validator still checks the complete schema.
 * @throws for a schema that is not an object, or that JSON Schema cannot express; the service does not start
 */
export function toPublishedSchema(schema: z.ZodType): PublishedSchema {
  const { $schema: _, ...short } = asMembers(withoutNoise(jsonSchema(schema)));
  if (short['type'] !== 'object') throw new Error('The arguments and the result of a tool must be objects.');
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
