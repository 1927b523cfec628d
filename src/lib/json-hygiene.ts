// What parsed JSON must not hold before anything looks at it: texts a database cannot store, bottomless nesting.

/** Why a value is refused, and where (JSON pointer); undefined when it is clean. */
export type Stain = { readonly path: string; readonly message: string } | undefined;

const loneSurrogateOrNul = /[\0\p{Surrogate}]/u;

/** @param maxDepth how many arrays and objects may stand within each other */
export function findStain(value: unknown, maxDepth: number): Stain {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item.value === 'string') {
      if (loneSurrogateOrNul.test(item.value)) {
        return { path: item.path, message: 'contains a NUL character or half of a surrogate pair' };
      }
    } else if (typeof item.value === 'object' && item.value !== null) {
      if (item.depth >= maxDepth) return { path: item.path, message: `is nested deeper than ${maxDepth} levels` };
      for (const [key, child] of Object.entries(item.value)) {
        const path = `${item.path}/${key.slice(0, 100)}`;
        if (loneSurrogateOrNul.test(key))
          return { path, message: 'is a name with a NUL character or half a surrogate pair' };
        stack.push({ value: child, path, depth: item.depth + 1 });
      }
    }
  }
  return undefined;
}
