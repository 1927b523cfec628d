// Parses the text of a flag, an environment variable or a secret's file by the setting's kind.
import { unreachable } from '../net/unreachable.ts';

/** `folder`: `true`, `false` or a path. `objects`: only a config file can hold them. */
export type SettingKind = 'text' | 'number' | 'flag' | 'list' | 'folder' | 'objects';

/** A text that does not fit its kind is returned as it is, for the schema to reject. */
export function parseByKind(kind: SettingKind, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case 'text':
    case 'objects':
      return trimmed;
    case 'number':
      return /^-?\d+(\.\d+)?(e\d+)?$/i.test(trimmed) ? Number(trimmed) : trimmed;
    case 'flag':
    case 'folder':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed;
    case 'list':
      return trimmed
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    default:
      return unreachable(kind);
  }
}
