// Reads the names of files in a diff, which git quotes where they have special characters.

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * The name in a header line of a diff.
 * @param text one character for each byte; a name, or one in quotes with C escapes; what follows a tab is a time
 * @returns undefined for /dev/null
 */
export function parseGitPath(text: string): string | undefined {
  const name = text.startsWith('"') ? unquote(text) : (text.split('\t', 1)[0] ?? '');
  return name === '/dev/null' ? undefined : Buffer.from(name, 'latin1').toString().toWellFormed();
}

/** The name after the side of the comparison (`a/`, `b/`), where there is one. */
export function withoutSide(name: string): string {
  return name.replace(/^[ab]\//, '');
}

function unquote(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(1);
  return quoted.replaceAll(/\\([0-7]{1,3}|.)/g, (_all, escape: string) => {
    const code = /^[0-7]/.test(escape) ? Number.parseInt(escape, 8) & 0xff : escapes[escape];
    return code === undefined ? escape : String.fromCharCode(code);
  });
}
