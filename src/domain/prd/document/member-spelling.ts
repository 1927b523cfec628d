// The one spelling of the members of a stored document. runs-18.
import type { PrdDocument } from '../../model/prd/prd-session.ts';

/** The document with the members of itself, its stories and its gates in camelCase; nothing else changes. */
export function toCamelMembers(document: PrdDocument): PrdDocument {
  const renamed = renameMembers(document);
  return Object.fromEntries(
    Object.entries(renamed).map(([name, value]) => {
      const holdsObjects = name === 'userStories' || name === 'gates';
      return [name, holdsObjects && Array.isArray(value) ? value.map(renameItem) : value];
    }),
  );
}

const snakeName = /^[a-z]+(_[a-z]+)+$/;

/** A member in both spellings keeps both, so that reading the document reports it. */
export function renameMembers(value: PrdDocument): PrdDocument {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const camel = snakeName.test(name)
        ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
        : name;
      return [camel in value ? name : camel, member];
    }),
  );
}

function renameItem(item: unknown): unknown {
  return isObject(item) ? renameMembers(item) : item;
}

function isObject(value: unknown): value is PrdDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
