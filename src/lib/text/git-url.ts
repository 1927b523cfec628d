// Addresses of git repositories: telling them from folders, refusing what could be anything else, and lists of prefixes.

/** What a text says as an address: its canonical form, or why it is none that may be used. */
export type GitUrl = { readonly url: string } | { readonly refused: string };

const scheme = /^([a-z][a-z0-9+.-]*):\/\//i;
/** `user@host:path`, as ssh takes it. */
const scp = /^[\w][\w.-]*@[\w][\w.-]*:[^\s:]\S*$/;
const schemes = ['https:', 'http:', 'ssh:', 'git:', 'file:'];

/** Whether a codebase's path is meant as an address rather than as a folder. */
export function isGitUrl(path: string): boolean {
  return scheme.test(path) || scp.test(path);
}

/**
 * Takes `https`, `http`, `ssh`, `git` and `file` addresses and ssh's short form. Credentials in an address would stand
 * in arguments, logs and records, so they are refused; so is whatever leads out of a prefix.
 */
export function parseGitUrl(text: string): GitUrl {
  if (text.startsWith('-') || /[\p{Cc}\s\\]/u.test(text) || text.length > 2000) return { refused: 'it is no address' };
  if (/(^|[/:])\.\.?(\/|$)/.test(text) || /%2e|%2f|%5c/i.test(text)) return { refused: 'it has dots for folders' };
  if (scp.test(text) && !scheme.test(text)) return { url: text };
  if (!URL.canParse(text)) return { refused: 'it is no address' };
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) return { refused: `${url.protocol.slice(0, -1)} is not cloned from` };
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  if (url.password !== '' || (web && url.username !== '')) {
    return { refused: 'it has credentials in it; give them to git by a credential helper' };
  }
  if (url.search !== '' || url.hash !== '') return { refused: 'it has a query or a fragment' };
  // Nothing that ssh could take for an option.
  if (url.hostname.startsWith('-') || url.username.startsWith('-')) return { refused: 'it is no address' };
  if (url.hostname === '' && url.protocol !== 'file:') return { refused: 'it names no host' };
  return { url: url.href };
}

/**
 * Whether an address of `parseGitUrl` lies below one of the prefixes: whole path parts count, so that
 * `https://host/team` allows `https://host/team/x` and not `https://host/team-b/x`. `*` allows every one.
 */
export function isBelow(url: string, prefixes: readonly string[]): boolean {
  return prefixes.some((given) => {
    const prefix = scheme.test(given) && URL.canParse(given) ? new URL(given).href : given;
    if (prefix === '*' || url === prefix) return true;
    const base = prefix.endsWith('/') || prefix.endsWith(':') ? prefix : `${prefix}/`;
    return url.startsWith(base);
  });
}

/** The last part of the path without `.git`, as a folder name. */
export function repositoryName(url: string): string {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  const plain = last.replace(/\.git$/, '').replaceAll(/[^\w.-]/g, '_');
  return /^\.*$/.test(plain) ? 'repository' : plain.slice(0, 100);
}
