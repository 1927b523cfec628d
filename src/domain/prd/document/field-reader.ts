// Reads the members of one object of a PRD by name, in both spellings, and records every fault with its path. runs-18.

/** Records a fault. `path` names a member as the author spelled it: `user_stories.0.id`. */
export type ReportFault = (path: string, message: string) => void;

interface Member {
  readonly path: string;
  readonly value: unknown;
}

/** The bounds of a list of texts. */
interface ListBounds {
  readonly max: number;
  /** Why a text is not accepted; undefined when it is. */
  readonly reject?: (text: string) => string | undefined;
}

/** The members of one object. An absent member and one that is null are the same. */
export class FieldReader {
  readonly #path: string;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #report: ReportFault;

  private constructor(path: string, members: ReadonlyMap<string, Member>, report: ReportFault) {
    this.#path = path;
    this.#members = members;
    this.#report = report;
  }

  /**
   * A reader of an object; undefined when the value is none. Unknown members and members in both spellings are reported.
   * @param names the known members in camelCase
   */
  static open(value: unknown, path: string, names: readonly string[], report: ReportFault): FieldReader | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report(path, 'must be an object');
      return undefined;
    }
    const known = new Map(
      names.flatMap((name) => [name, snakeCase(name)].map((spelling) => [spelling, name] as const)),
    );
    const members = new Map<string, Member>();
    for (const [key, member] of Object.entries(value)) {
      const memberPath = join(path, key.slice(0, 100));
      const name = known.get(key);
      if (name === undefined) report(memberPath, 'is not a known field');
      else if (members.has(name)) report(memberPath, `is given twice: as ${name} and as ${snakeCase(name)}`);
      else members.set(name, { path: memberPath, value: member ?? undefined });
    }
    return new FieldReader(path, members, report);
  }

  /** The path of a member as the author spelled it. */
  pathOf(name: string): string {
    return this.#members.get(name)?.path ?? join(this.#path, name);
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): unknown {
    return this.#members.get(name)?.value;
  }

  /** A text that is there and not blank; empty after a fault. */
  requiredText(name: string): string {
    if (!this.has(name)) {
      this.#report(this.pathOf(name), 'is required');
      return '';
    }
    return this.#text(this.raw(name), this.pathOf(name));
  }

  /** As `requiredText`, on one line: line breaks become spaces. */
  requiredLine(name: string): string {
    return oneLine(this.requiredText(name));
  }

  /** A text; null when it is absent or blank. */
  optionalText(name: string): string | null {
    const value = this.raw(name);
    return value === undefined || (typeof value === 'string' && value.trim() === '')
      ? null
      : this.#text(value, this.pathOf(name));
  }

  flag(name: string): boolean | null {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'boolean') return value ?? null;
    this.#report(this.pathOf(name), 'must be true or false');
    return null;
  }

  integer(name: string, least: number, most: number): number | null {
    const value = this.raw(name);
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    this.#report(this.pathOf(name), `must be a whole number from ${least} to ${most}`);
    return null;
  }

  /** A list of texts that are not blank; null when it is absent. */
  texts(name: string, bounds: ListBounds): string[] | null {
    return this.list(name, bounds.max, (value, path) => {
      const text = this.#text(value, path);
      const reason = text === '' ? undefined : bounds.reject?.(text);
      if (reason !== undefined) this.#report(path, reason);
      return text;
    });
  }

  /** A list of values that `read` reads one by one; null when it is absent. Items beyond the bound are not read. */
  list<T>(name: string, max: number, read: (value: unknown, path: string) => T): T[] | null {
    const value = this.raw(name);
    const path = this.pathOf(name);
    if (value === undefined) return null;
    if (!Array.isArray(value)) {
      this.#report(path, 'must be a list');
      return null;
    }
    if (value.length > max) this.#report(path, `has ${value.length} items: the most is ${max}`);
    return value.slice(0, max).map((item: unknown, index) => read(item, join(path, String(index))));
  }

  #text(value: unknown, path: string): string {
    if (typeof value !== 'string') {
      const written = typeof value === 'number' || typeof value === 'boolean';
      this.#report(path, written ? 'must be a text: put it in quotes' : 'must be a text');
      return '';
    }
    if (value.trim() === '') this.#report(path, 'must not be empty');
    return value;
  }
}

function oneLine(text: string): string {
  return text
    .split(/[\r\n\u0085\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
