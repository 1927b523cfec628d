// Rows of a transaction with some members replaced: a spread would lose them, because they are getters of a class.
import type { Rows } from '../../../src/domain/ports/store/store.ts';

export function overrideRows(rows: Rows, overrides: Partial<Rows>): Rows {
  return new Proxy(rows, {
    get: (target, name) => Reflect.get(name in overrides ? overrides : target, name),
  });
}
