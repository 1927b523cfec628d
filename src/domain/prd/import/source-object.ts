// Reads a foreign JSON object member by member and knows which members nobody took.
import type { ImportLog } from './import-log.ts';

export class SourceObject {
  readonly path: string;
  readonly #left: Map<string, unknown>;

  private constructor(path: string, members: Map<string, unknown>) {
    this.path = path;
    this.#left = members;
  }

  /** Undefined for a value that is no object. */
  static of(value: unknown, path = ''): SourceObject | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new SourceObject(path, new Map(Object.entries(value)));
  }

  has(key: string): boolean {
    return this.#left.has(key);
  }

  keys(): readonly string[] {
    return [...this.#left.keys()];
  }

  /** The member without taking it. */
  peek(key: string): unknown {
    return this.#left.get(key);
  }

  take(key: string): unknown {
    const value = this.#left.get(key);
    this.#left.delete(key);
    return value;
  }

  /** A text or a number as text; undefined for anything else, which stays. */
  takeText(key: string): string | undefined {
    const value = this.peek(key);
    if (typeof value === 'number') return String(this.take(key));
    return typeof value === 'string' && value.trim() !== '' ? String(this.take(key)) : undefined;
  }

  /** The items of a list, each with its path; empty for anything else, which stays. */
  takeItems(key: string): readonly { readonly value: unknown; readonly path: string }[] {
    const value = this.peek(key);
    if (!Array.isArray(value)) return [];
    this.take(key);
    return value.map((item: unknown, index) => ({ value: item, path: `${this.pathOf(key)}.${index}` }));
  }

  pathOf(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** Records every member that nobody took, but empty ones. */
  dropRest(log: ImportLog): void {
    for (const [key, value] of this.#left) if (!isEmpty(value)) log.drop(this.pathOf(key), value);
    this.#left.clear();
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
