// The protocol's proto files as JSON Schema, to hold answers against: messages, enums, oneofs, required fields, and
// the JSON form of each type. Nothing that a file does not name is allowed, as strict readers of proto JSON have it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = Record<string, unknown>;

const files = { '0.3': 'a2a-v0.3.0.proto', '1.0': 'a2a-v1.0.1.proto' } as const;

const known: Record<string, Schema> = {
  string: { type: 'string' },
  bytes: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
  bool: { type: 'boolean' },
  int32: { type: 'integer' },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': {},
  'google.protobuf.Timestamp': { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
};

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function typeSchema(type: string): Schema {
  const map = /^map<string, ([\w.]+)>$/.exec(type);
  if (map !== null) return { type: 'object', additionalProperties: typeSchema(map[1] ?? '') };
  return known[type] ?? { $ref: `#/$defs/${type}` };
}

const fieldPattern = /(repeated |optional )?(map<string, [\w.]+>|[\w.]+) (\w+) = \d+\s*(\[[^\]]*\])?;/g;

function fieldsIn(body: string): { name: string; schema: Schema; required: boolean }[] {
  return [...body.matchAll(fieldPattern)].map(([, label, type = '', field = '', options = '']) => ({
    name: /json_name = "(\w+)"/.exec(options)?.[1] ?? camel(field),
    schema: label === 'repeated ' ? { type: 'array', items: typeSchema(type) } : typeSchema(type),
    required: options.includes('REQUIRED'),
  }));
}

function messageSchema(body: string): Schema {
  const choices = [...body.matchAll(/oneof \w+ \{([^}]*)\}/g)].map(([, inner = '']) => fieldsIn(inner));
  const plain = fieldsIn(body.replaceAll(/oneof \w+ \{[^}]*\}/g, ''));
  const all = [...plain, ...choices.flat()];
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    required: plain.filter(({ required }) => required).map(({ name }) => name),
    // If a file has alternatives, one of them is present.
    allOf: [{}, ...choices].map((choice) =>
      Array.isArray(choice) ? { oneOf: choice.map(({ name }) => ({ required: [name] })) } : {},
    ),
  };
}

function schemaOf(file: string): Schema {
  const text = readFileSync(resolve(import.meta.dirname, 'fixtures', file), 'utf8').replaceAll(/\/\/.*$/gm, '');
  const messages = [...text.matchAll(/^message (\w+) \{((?:[^{}]|\{[^{}]*\})*)\}/gm)];
  const enums = [...text.matchAll(/^enum (\w+) \{([^}]*)\}/gm)];
  return {
    $defs: Object.fromEntries([
      ...messages.map(([, name, body = '']) => [name, messageSchema(body)]),
      ...enums.map(([, name, body = '']) => [
        name,
        { enum: [...body.matchAll(/(\w+) = \d/g)].map(([, word]) => word) },
      ]),
    ]),
  };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const [version, file] of Object.entries(files)) ajv.addSchema(schemaOf(file), version);

/** The violations of a value by the protocol's proto file of a version; empty when it is valid. */
export function protoFaults(version: keyof typeof files, message: string, value: unknown): string[] {
  const validate = ajv.getSchema(`${version}#/$defs/${message}`);
  if (validate === undefined) throw new Error(`no message ${message}`);
  void validate(value);
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}
