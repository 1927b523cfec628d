// URLs of git repositories: distinguishing them from folders, validation, and matching against prefixes.

/** The canonical form of a URL, or why it is rejected. */
export type GitUrl = { readonly url: string } | { readonly refused: string };

const scheme = /^([a-z][a-z0-9+.-]*):\/\//i;
/** `user@host:path`, as ssh takes it. */
const scp = /^[\w][\w.-]*@[\w][\w.-]*:[^\s:]\S*$/;
const schemes = ['https:', 'http:', 'ssh:', 'git:', 'file:'];

/** Whether a codebase's path is a URL rather than a folder. */
export function isGitUrl(path: string): boolean {
  return scheme.test(path) || scp.test(path);
}

/**
 * Accepts `https`, `http`, `ssh`, `git` and `file` URLs and ssh's short form. Rejects credentials, which would show in
 * arguments, logs and records, and path segments that leave a prefix.
 */
export function parseGitUrl(text: string): GitUrl {
  if (text.startsWith('-') || /[\p{Cc}\s\\]/u.test(text) || text.length > 2000)
    return { refused: 'it is not a valid URL' };
  if (/(^|[/:])\.\.?(\/|$)/.test(text) || /%2e|%2f|%5c/i.test(text))
    return { refused: 'it has . or .. path segments, or an escaped dot or slash' };
  if (scp.test(text) && !scheme.test(text)) return { url: text };
  if (!URL.canParse(text)) return { refused: 'it is not a valid URL' };
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) return { refused: `${url.protocol.slice(0, -1)} is not a supported scheme` };
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  if (url.password !== '' || (web && url.username !== '')) {
    return { refused: 'it contains credentials; configure a git credential helper instead' };
  }
  if (url.search !== '' || url.hash !== '') return { refused: 'it has a query or a fragment' };
  // ssh could take these for an option.
  if (url.hostname.startsWith('-') || url.username.startsWith('-')) return { refused: 'it is not a valid URL' };
  if (url.hostname === '' && url.protocol !== 'file:') return { refused: 'it has no host' };
  return { url: url.href };
}

/**
 * Whether a URL of `parseGitUrl` lies below one of the prefixes. Prefixes match whole path segments:
 * `https://host/team` allows `https://host/team/x` and not `https://host/team-b/x`. `*` allows every URL.
 */
export function isBelow(url: string, prefixes: readonly string[]): boolean {
  return prefixes.some((given) => {
    const prefix = scheme.test(given) && URL.canParse(given) ? new URL(given).href : given;
    if (prefix === '*' || url === prefix) return true;
    const base = prefix.endsWith('/') || prefix.endsWith(':') ? prefix : `${prefix}/`;
    return url.startsWith(base);
  });
}

/** The last path segment without `.git`, as a folder name. */
export function repositoryName(url: string): string {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  const plain = last.replace(/\.git$/, '').replaceAll(/[^\w.-]/g, '_');
  return /^\.*$/.test(plain) ? 'repository' : plain.slice(0, 100);
}
