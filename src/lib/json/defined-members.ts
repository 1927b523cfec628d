// The members of an object that are not undefined, for changes laid over what was there before.

export type DefinedMembers<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

export function definedMembers<T extends object>(value: T): DefinedMembers<T>;
export function definedMembers(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
