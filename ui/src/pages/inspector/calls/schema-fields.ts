// Fields of a form from a JSON Schema: one for each flat member; what is deeper is written as JSON.
import type { CallField, FieldPlace } from './callable.ts';
import { isJsonObject, listOf, objectOf, textOrEmpty, type JsonObject } from './json.ts';

/** @param at where the object lies in the body */
export function bodyFields(schema: JsonObject, at: readonly string[]): readonly CallField[] {
  const required = listOf(schema['required']);
  return Object.entries(objectOf(schema['properties'])).flatMap(([name, shape]) => {
    const field = fieldOf(name, objectOf(shape), { in: 'body', pointer: [...at, name] }, required.includes(name));
    return field === undefined ? [] : [field];
  });
}

/** The field of a flat value; undefined for a list or an object. */
export function fieldOf(
  name: string,
  shape: JsonObject,
  place: FieldPlace,
  isRequired: boolean,
): CallField | undefined {
  const flat = flatShape(shape);
  if (flat === undefined) return undefined;
  const choices = listOf(flat['enum']).filter((choice) => typeof choice === 'string');
  const kind = kindOf(flat, choices.length > 0);
  return { name, kind, choices, isRequired, hint: hintOf(shape, flat), place };
}

const longText = 1_000;

function kindOf(shape: JsonObject, hasChoices: boolean): CallField['kind'] {
  if (hasChoices) return 'choice';
  if (shape['type'] === 'boolean') return 'flag';
  if (shape['type'] === 'integer' || shape['type'] === 'number') return 'number';
  const longest = shape['maxLength'];
  return typeof longest === 'number' && longest > longText && shape['format'] === undefined ? 'long' : 'text';
}

const flatTypes: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** The shape itself, or the flat one of its alternatives. */
function flatShape(shape: JsonObject): JsonObject | undefined {
  const { type } = shape;
  if (flatTypes.includes(type)) return shape;
  if (Array.isArray(type)) {
    const flat: unknown = type.find((one) => flatTypes.includes(one));
    return flat === undefined ? undefined : { ...shape, type: flat };
  }
  for (const one of [...listOf(shape['anyOf']), ...listOf(shape['oneOf'])]) {
    const flat = isJsonObject(one) ? flatShape(one) : undefined;
    if (flat !== undefined) return flat;
  }
  return undefined;
}

function hintOf(shape: JsonObject, flat: JsonObject): string {
  const { minimum, maximum, default: initial } = { ...flat, ...shape };
  const bounds =
    typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER
      ? `${minimum}–${maximum}`
      : '';
  const byDefault = initial === undefined || typeof initial === 'object' ? '' : `= ${JSON.stringify(initial)}`;
  const format = textOrEmpty(flat['format']);
  return [textOrEmpty(shape['description']), bounds, format, byDefault].filter((part) => part !== '').join(' · ');
}
