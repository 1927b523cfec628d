// Globs of a PRD against paths of a repository, in time linear in both but for their product.

/** Alternatives of one glob beyond this number are not tried. */
const maxAlternatives = 64;

/** `a{b,c}` as `ab`, `ac`. */
function expandBraces(glob: string): string[] {
  let found = [glob];
  for (;;) {
    let changed = false;
    const next = found.flatMap((one) => {
      const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(one);
      if (match === null) return [one];
      changed = true;
      const [, before = '', inside = '', after = ''] = match;
      return inside.split(',').map((alternative) => `${before}${alternative}${after}`);
    });
    found = next.slice(0, maxAlternatives);
    if (!changed) return found;
  }
}

/** `*` and `?` within one name of a path. */
function matchesName(name: string, pattern: string): boolean {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    if (in_ < pattern.length && pattern[in_] === '*') {
      star = in_;
      in_ += 1;
      mark = at;
    } else if (in_ < pattern.length && (pattern[in_] === '?' || pattern[in_] === name[at])) {
      at += 1;
      in_ += 1;
    } else if (star >= 0) {
      in_ = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(in_));
}

/** `**` is any number of folders. A glob that ends before the path does names a folder. */
function matchesParts(path: readonly string[], glob: readonly string[]): boolean {
  // The lengths of the path that the globs so far can have taken.
  let reached = new Set([0]);
  for (const part of glob) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === '**') for (let to = at; to <= path.length; to += 1) next.add(to);
      else if (at < path.length && matchesName(path[at] ?? '', part)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.size > 0 && [...reached].some((at) => at > 0);
}

/**
 * Whether a glob names a file or a folder around it. A glob without a slash matches in every folder, like those of
 * `.gitignore`.
 */
export function isNamedByGlob(path: string, glob: string): boolean {
  return expandBraces(glob).some((one) => {
    const parts = one
      .replace(/^\.?\//, '')
      .split('/')
      .filter(Boolean);
    const anywhere = parts.length === 1 && !one.startsWith('/');
    return parts.length > 0 && matchesParts(path.split('/'), anywhere ? ['**', ...parts] : parts);
  });
}
