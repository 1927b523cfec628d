// Requests made from an operation's own schemas: a full one, and where in it another's id could stand.
import type { Operation } from '../../../src/http/pipeline/operation.ts';
import { jsonSchema } from '../../../src/http/pipeline/schema.ts';

type Schema = Record<string, unknown>;
/** Values for fields by their name, wherever they stand. */
export type Known = Readonly<Record<string, unknown>>;

export interface Sample {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** The least request that the operation takes, and every field named in `known` with the value given there. */
export function buildSample(operation: Operation, known: Known): Sample {
  const of = (schema: Operation['body']): unknown =>
    schema === undefined ? undefined : sampleValue(jsonSchema(schema), '', known);
  return {
    params: asRecord(of(operation.params)),
    query: asRecord(of(operation.query)),
    body: of(operation.body),
  };
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function sampleValue(schema: Schema, name: string, known: Known): unknown {
  if (name in known) return known[name];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  for (const choice of ['oneOf', 'anyOf']) {
    const options = schema[choice];
    if (Array.isArray(options)) return sampleValue(options[0], name, known);
  }
  if (Array.isArray(schema['allOf']))
    return sampleValue(Object.assign({}, schema, ...schema['allOf'], { allOf: 0 }), name, known);
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(asRecord(schema['properties']))
          .map(([key, value]) => [key, asRecord(value)] as const)
          .filter(([key, value]) => isRequired(schema, key) || mentions(value, key, known))
          .map(([key, value]) => [key, sampleValue(value, key, known)]),
      );
    case 'array':
      return [sampleValue(asRecord(schema['items']), name, known)];
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    case 'boolean':
      return true;
    case 'string':
      return sampleText(schema);
    default:
      return 'anything';
  }
}

function isRequired(schema: Schema, key: string): boolean {
  return Array.isArray(schema['required']) && schema['required'].includes(key);
}

/** True when a known name stands somewhere in it. */
function mentions(schema: Schema, name: string, known: Known): boolean {
  if (name in known) return true;
  const within = Object.entries(asRecord(schema['properties']));
  if (schema['type'] === 'array') within.push(['', schema['items']]);
  return within.some(([key, value]) => mentions(asRecord(value), key, known));
}

function sampleText(schema: Schema): string {
  if (schema['format'] === 'uuid') return '01890000-0000-7000-8000-000000000000';
  if (schema['format'] === 'date-time') return '2100-01-01T00:00:00.000Z';
  if (schema['format'] === 'uri') return 'https://example.com/hook';
  return 'text';
}

/** The path of a request, its parameters filled in. */
export function pathOf(operation: Operation, sample: Sample): string {
  const path = operation.path.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(sample.params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sample.query)) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export type SampleSlot = readonly (string | number)[];

/** Every place in a value that holds a field of one of these names, innermost values only. */
export function findSlots(value: unknown, names: ReadonlySet<string>, at: SampleSlot = []): SampleSlot[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => findSlots(item, names, [...at, i]));
  if (typeof value !== 'object' || value === null) return names.has(String(at.at(-1))) ? [at] : [];
  return Object.entries(value).flatMap(([key, child]) => findSlots(child, names, [...at, key]));
}

/** A copy of a value with another value at one place. */
export function withAt(value: unknown, place: SampleSlot, put: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? withAt(item, rest, put) : item));
  const record = asRecord(value);
  return { ...record, [key]: withAt(record[key], rest, put) };
}
