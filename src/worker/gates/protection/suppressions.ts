// Added lines that skip tests or disable checks, in a unified diff. runs-10.

const patterns: readonly RegExp[] = [
  /\b(?:describe|it|test|suite|context|bench)\s*\.\s*(?:skip|only|todo|fails|failing)\b/,
  /\b(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(/,
  /\b(?:skip|todo|only)\s*:\s*(?:true|['"`])/,
  /\b(?:t|ctx|context|this)\.(?:skip|todo|Skip|SkipNow|Skipf)\s*\(/,
  /@?pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)\b|@unittest\.(?:skip|expectedFailure)|\bself\.skipTest\s*\(/,
  /#\s*\[\s*ignore\b|@(?:Ignore|Disabled)\b/,
  /\|\|\s*(?:true|:|exit\s+0)\b|\bset \+e\b|\bcontinue-on-error:\s*true|--(?:passWithNoTests|no-verify)\b/,
  /\b(?:eslint-disable|oxlint-disable|biome-ignore|prettier-ignore|stylelint-disable|tslint:disable|NOLINT)\b/,
  /@ts-(?:ignore|nocheck|expect-error)\b|#\s*type:\s*ignore|#\s*noqa\b|#\s*pyright:\s*ignore|\bpylint:\s*disable/,
  /#!?\s*\[\s*allow\s*\(|\/\/\s*nolint\b|\bskipTests\b|-Dmaven\.test\.skip/,
];
const maxFound = 200;
const maxLineChars = 300;

/**
 * @param diff unified, of any context
 * @returns `path:line text` for each added line that suppresses something
 */
export function findSuppressions(diff: string): string[] {
  const found: string[] = [];
  let [path, line, inHunk] = ['', 0, false];
  for (const text of diff.split('\n')) {
    if (text.startsWith('diff --git ')) inHunk = false;
    else if (!inHunk && text.startsWith('+++ '))
      path = text
        .slice(4)
        .replace(/^"?b\//, '')
        .replace(/"?\t?$/, '');
    else if (text.startsWith('@@ ')) {
      line = Number(/\+(\d+)/.exec(text)?.[1] ?? 1);
      inHunk = true;
    } else if (inHunk && text.startsWith('+')) {
      const added = text.slice(1, 2000);
      if (patterns.some((pattern) => pattern.test(added)))
        found.push(`${path}:${line} ${added.trim().slice(0, maxLineChars)}`);
      line += 1;
    } else if (inHunk && text.startsWith(' ')) line += 1;
  }
  return found.slice(0, maxFound);
}
