// The order of semantic versions. semver.org 2.0.0 §11.

/**
 * Compares two versions: negative when `a` is lower. Versions of equal precedence (they differ in build metadata alone)
 * are ordered by their text, so that one version is always the highest.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  return compareLists(left.core, right.core) || comparePre(left.pre, right.pre) || (a < b ? -1 : a > b ? 1 : 0);
}

function parse(version: string): { core: readonly string[]; pre: readonly string[] } {
  const [plain = ''] = version.split('+', 1);
  const dash = plain.indexOf('-');
  const core = (dash < 0 ? plain : plain.slice(0, dash)).split('.');
  return { core, pre: dash < 0 ? [] : plain.slice(dash + 1).split('.') };
}

/** A release is higher than its pre-releases. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(b.length > 0) - Number(a.length > 0);
  return compareLists(a, b);
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers compare by value, whatever their length, and are lower than words. Words compare by ASCII. */
function compareIdentifiers(a: string, b: string): number {
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA && numberB) return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
