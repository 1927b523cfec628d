// Examples of requests and answers, derived from their schemas: deterministic and valid.

type Schema = Readonly<Record<string, unknown>>;

/** Example values by field name, used where the schema accepts them. */
const valuesByName: Readonly<Record<string, unknown>> = {
  title: 'Fix the flaky login test',
  description: 'Run the tests, find out why the login test fails now and then, and fix it.',
  prompt: 'Run the tests, find out why the login test fails now and then, and fix it.',
  message: 'Use the staging database.',
  webhook_url: 'https://hooks.example.com/switchyard',
  url: 'https://hooks.example.com/switchyard',
  codebase_id: 'global',
  name: 'example',
  path: '/srv/code/example',
  subject: 'token:ci',
  tenant_id: 'default',
};

const exampleId = '01890a5d-ac96-774b-bcce-b302099a8057';
const exampleTime = '2026-01-02T03:04:05.678Z';

/** @param name the field that holds the value */
export function buildExample(schema: Schema, name = ''): unknown {
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const options = schema[choice];
    if (Array.isArray(options)) return buildExample(schemaIn(options[0]), name);
  }
  const { type } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return buildObject(schema);
    case 'array':
      return numberIn(schema, 'minItems', 1) === 0 || 'items' in schema
        ? [buildExample(schemaIn(schema['items']), name)]
        : [];
    case 'integer':
    case 'number':
      return Math.max(1, numberIn(schema, 'minimum', 1));
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return buildText(schema, name);
    default:
      return 'anything';
  }
}

/** The required members, and as many others as the object must have. */
function buildObject(schema: Schema): Record<string, unknown> {
  const properties = Object.entries(schemaIn(schema['properties']));
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const least = numberIn(schema, 'minProperties', 0) - required.length;
  const optional = properties.map(([key]) => key).filter((key) => !required.includes(key));
  const keys = new Set([...required, ...optional.slice(0, Math.max(0, least))]);
  const shown = properties.filter(([key]) => keys.has(key));
  return Object.fromEntries(shown.map(([key, value]) => [key, buildExample(schemaIn(value), key)]));
}

function buildText(schema: Schema, name: string): string {
  if (schema['format'] === 'uuid') return exampleId;
  if (schema['format'] === 'date-time') return exampleTime;
  if (schema['format'] === 'uri') return 'https://example.com/';
  if (typeof schema['pattern'] === 'string') return textMatching(new RegExp(schema['pattern'], 'u'));
  const text = valuesByName[name];
  const most = numberIn(schema, 'maxLength', Infinity);
  const least = numberIn(schema, 'minLength', 0);
  const example = typeof text === 'string' && text.length <= most ? text : 'example'.slice(0, Math.min(most, 7));
  return example.padEnd(Math.min(least, 10_000), 'x');
}

/** Tries texts in the forms that the contracts' patterns describe. */
function textMatching(pattern: RegExp): string {
  const candidates = [
    'default',
    exampleId,
    'a'.repeat(64),
    '1.2.3',
    'tasks:read',
    'provider:model',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ];
  return candidates.find((candidate) => pattern.test(candidate)) ?? 'example';
}

function numberIn(schema: Schema, key: string, otherwise: number): number {
  const value = schema[key];
  return typeof value === 'number' ? value : otherwise;
}

function schemaIn(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
