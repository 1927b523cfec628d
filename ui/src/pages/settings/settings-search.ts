// The address of the settings, and their parts.
import { flagOf, type RawSearch } from '../../search.ts';

export interface SettingsSearch {
  /** Keys or sessions of everybody, for who may see them. */
  readonly all?: true | undefined;
}

export function settingsSearch(raw: RawSearch): SettingsSearch {
  return { all: flagOf(raw['all']) };
}

export const settingsParts = ['me', 'keys', 'users', 'tenants', 'webhooks', 'sessions', 'display'] as const;
export type SettingsPart = (typeof settingsParts)[number];

/** The permission that a part is read with; none for what everybody has. */
export const permissionOfPart: Readonly<Partial<Record<SettingsPart, string>>> = {
  keys: 'api_keys:read',
  users: 'users:read',
  tenants: 'tenants:read',
  webhooks: 'automation:read',
};
