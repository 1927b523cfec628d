// Schemas of operations as validators: zod → JSON Schema 2020-12 → Ajv. Nothing is removed; only query strings and path
// parameters, which are text, are coerced. A schema that JSON Schema cannot express prevents the start.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { DomainError, type FieldError } from '../../domain/model/errors.ts';
import { findJsonViolation, hasMoreMembers } from '../../lib/json/json-violation.ts';

// A CommonJS package whose types TypeScript cannot call as a default import.
const addFormats: (ajv: Ajv2020) => Ajv2020 = createRequire(import.meta.url)('ajv-formats');

const maxErrors = 20;
/** Members and items of the largest value for which all errors are collected. */
const maxListedMembers = 1000;
/** Query and params: an object of names whose values are texts or lists of texts. */
const maxTextDepth = 2;
const shared = {
  allErrors: true,
  useDefaults: true,
  discriminator: true,
  strict: true,
  allowUnionTypes: true,
  // Messages of errors may need the schema.
  verbose: true,
} as const;

export class SchemaCompiler {
  readonly #strict = addFormats(new Ajv2020(shared));
  readonly #quick = addFormats(new Ajv2020({ ...shared, allErrors: false }));
  readonly #coercing = addFormats(new Ajv2020({ ...shared, coerceTypes: true }));

  /**
   * A parser for a body: returns the value itself with defaults filled in. It reports up to twenty errors of a small value
   * and the first error of a large one: collecting an error for each of ten thousand unknown names would block the process.
   * @throws DomainError invalid, from the parser
   */
  body(schema: z.ZodType): (value: unknown) => unknown {
    const published = jsonSchema(schema);
    const first = lazyParser(this.#quick, published, '');
    const all = lazyParser(this.#strict, published, '');
    return (value) => {
      try {
        return first(value);
      } catch (error) {
        if (!hasMoreMembers(value, maxListedMembers)) return all(value);
        throw error;
      }
    };
  }

  /**
   * As `body`, but stops at the first error: for large bodies, where collecting an error for each of a million wrong items
   * would be too expensive.
   */
  large<S extends z.ZodType>(schema: S, prefix: string): (value: unknown) => z.output<S> {
    const parse = lazyParser(this.#quick, jsonSchema(schema), prefix);
    // A value that the validator accepts has the schema's shape: a parser's brand.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (value) => parse(value) as z.output<S>;
  }

  /**
   * A parser for query strings and path parameters, which the body parser has not checked for forbidden content. The check
   * runs on the coerced value: `Infinity` is coerced to a number, and bounds reject only finite numbers.
   */
  text(schema: z.ZodType, where: 'query' | 'params'): (value: unknown) => unknown {
    const { published, lists } = withLists(jsonSchema(schema));
    const parse = lazyParser(this.#coercing, published, `/${where}`);
    return (value) => {
      const parsed = lists.length === 0 ? parse(value) : parseLists(parse, value, lists);
      const violation = findJsonViolation(parsed, maxTextDepth);
      if (violation !== undefined) throw invalidInput([{ ...violation, path: `/${where}${violation.path}` }]);
      return parsed;
    };
  }
}

/** JSON Schema of a wire shape. @throws when it has no JSON Schema */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'throw',
    override: ({ zodSchema, jsonSchema: out }) => {
      const def = zodSchema._zod.def;
      if (def.type === 'union' && 'discriminator' in def && typeof def.discriminator === 'string') {
        out['discriminator'] = { propertyName: def.discriminator };
        out['type'] = 'object';
      }
    },
  });
}

const jsonProperties = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
const valueOrList = z.object({ anyOf: z.tuple([z.unknown(), z.looseObject({ type: z.literal('array') })]) });

/** Names of the texts that may be lists; a schema of a value or a list of it becomes that of the list alone. */
function withLists(schema: Record<string, unknown>): { published: Record<string, unknown>; lists: readonly string[] } {
  const found = jsonProperties.safeParse(schema);
  const lists = Object.entries(found.data?.properties ?? {}).flatMap(([name, each]) => {
    const either = valueOrList.safeParse(each);
    return either.success ? [[name, either.data.anyOf[1]] as const] : [];
  });
  if (lists.length === 0) return { published: schema, lists: [] };
  const properties = { ...found.data?.properties, ...Object.fromEntries(lists) };
  return { published: { ...schema, properties }, lists: lists.map(([name]) => name) };
}

/** A list is repeated, or separated by commas. Errors name the list: callers know no index of it. */
function parseLists(parse: (value: unknown) => unknown, value: unknown, lists: readonly string[]): unknown {
  const texts = z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
  const split = lists.flatMap((name) => {
    const given = texts[name];
    if (given === undefined) return [];
    return [[name, [given].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : [text]))] as const];
  });
  try {
    return parse({ ...texts, ...Object.fromEntries(split) });
  } catch (error) {
    if (!(error instanceof DomainError) || error.errors === undefined) throw error;
    throw invalidInput(error.errors.map(({ path, message }) => ({ path: path.replace(/\/\d+$/, ''), message })));
  }
}

/** Compiles on first use: compiling all schemas at the start used 49 MB more memory (measured on the build). */
function lazyParser(ajv: Ajv2020, schema: Record<string, unknown>, prefix: string): (value: unknown) => unknown {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    const validate = (compiled ??= ajv.compile(schema));
    if (validate(value)) return value;
    throw invalidInput(fieldErrorsOf(validate.errors ?? [], prefix));
  };
}

/** Reports each error once: an invalid time fails both its format and its pattern, and the message of the format is the helpful one. */
function fieldErrorsOf(errors: readonly ErrorObject[], prefix: string): FieldError[] {
  const formed = new Set(errors.flatMap(({ keyword, instancePath }) => (keyword === 'format' ? [instancePath] : [])));
  const reported = errors.filter(({ keyword, instancePath }) => keyword !== 'pattern' || !formed.has(instancePath));
  const faults = reported.slice(0, maxErrors).map((error) => fieldError(error, prefix));
  const rendered = faults.map(({ path, message }) => `${path} ${message}`);
  return faults.filter((_, i) => rendered.indexOf(rendered[i] ?? '') === i);
}

/** 400 with the invalid fields. choices-3. */
export function invalidInput(errors: readonly FieldError[]): DomainError {
  const first = errors[0];
  const detail =
    first === undefined ? 'is malformed' : `${first.path === '' ? 'the body' : first.path} ${first.message}`;
  return new DomainError('invalid', 'invalid_request', `The request is not valid: ${detail}.`, { errors });
}

/** Messages for the formats that the contracts use. */
const formatMessages: Readonly<Record<string, string>> = {
  'date-time': 'must be a time in ISO 8601 with Z or an offset, such as 2026-01-02T03:04:05Z',
  uuid: 'must be a UUID in lower case',
  uri: 'must be an absolute URL in ASCII: percent-encode other characters, write the host in punycode',
};

function formatMessageOf(schema: ErrorObject['parentSchema']): string {
  return formatMessages[String(schema?.['format'])] ?? 'has the wrong form';
}

export const unknownFieldMessage = 'is not a known field';

function fieldError(error: ErrorObject, prefix: string): FieldError {
  const { params, keyword } = error;
  const path = `${prefix}${error.instancePath}`;
  if (keyword === 'required') return { path: `${path}/${params['missingProperty']}`, message: 'is required' };
  if (keyword === 'additionalProperties')
    return { path: `${path}/${params['additionalProperty']}`, message: unknownFieldMessage };
  if (keyword === 'enum') return { path, message: `must be one of ${JSON.stringify(params['allowedValues'])}` };
  if (keyword === 'const') return { path, message: `must be ${JSON.stringify(params['allowedValue'])}` };
  // The member that selects one of several shapes.
  if (keyword === 'discriminator') return { path: `${path}/${params['tag']}`, message: 'is not a known value' };
  if (keyword === 'format' || keyword === 'pattern') return { path, message: formatMessageOf(error.parentSchema) };
  return { path, message: error.message ?? 'is wrong' };
}
