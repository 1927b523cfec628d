// A table of settings: one row per setting, and what can be derived from the rows.
import { parseByKind, type SettingKind } from './kinds.ts';
import type { SettingLayer } from './layers.ts';

export interface SettingRow {
  readonly kind: SettingKind;
  /** Ends the sentence "write …" of an error. */
  readonly write: string;
  /** Its value is masked wherever settings are shown. */
  readonly secret?: true;
}

/** One line of `config print`; a secret's value is masked. */
export interface ShownSetting<Name extends string = string> {
  readonly name: Name;
  readonly value: unknown;
  /** `flag --port`, `environment PORT`, `file …` or `default`. */
  readonly origin: string;
}

export type SettingRows<Name extends string, Row extends SettingRow = SettingRow> = Readonly<Record<Name, Row>>;

/** Whether a text is the name of a row. */
export function isRowName<Name extends string>(rows: SettingRows<Name>, candidate: string): candidate is Name {
  return Object.hasOwn(rows, candidate);
}

/** Texts are parsed by the setting's kind; other values of a config file stay unchanged. */
export function parseValue<Name extends string>(rows: SettingRows<Name>, name: Name, value: unknown): unknown {
  return typeof value === 'string' ? parseByKind(rows[name].kind, value) : value;
}

/** Each setting's effective value and origin, in the order of `names`. */
export function showSettings<Name extends string>(
  names: readonly Name[],
  rows: SettingRows<Name>,
  given: SettingLayer<Name>,
  effectiveValue: (name: Name) => unknown,
): ShownSetting<Name>[] {
  return names.map((name) => {
    const source = given.get(name);
    const isMasked = rows[name].secret === true && source !== undefined;
    return { name, value: isMasked ? '***' : effectiveValue(name), origin: source?.origin ?? 'default' };
  });
}
