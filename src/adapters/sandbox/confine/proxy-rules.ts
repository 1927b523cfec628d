// Decides which hosts a tool may reach, by the rules of its manifest: `name`, `name:port`, `*.name`, `*`, `[address]:port`.

export interface ProxyTarget {
  /** In lower case, without brackets or a trailing dot. */
  readonly host: string;
  readonly port: number;
}

const authorityPattern = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/?#@\s%]+))(?::(\d{1,5}))?$/i;
/** The ports that a rule without a port allows. */
const usualPorts = [80, 443];

/**
 * @param authority `host` or `host:port`, as in CONNECT and the Host header
 * @param usualPort default for an authority without a port
 * @returns undefined for an invalid authority, or one without any port
 */
export function parseTarget(authority: string, usualPort?: number): ProxyTarget | undefined {
  const parts = partsOf(authority);
  const port = parts?.port ?? usualPort;
  return parts === undefined || port === undefined ? undefined : { host: parts.host, port };
}

export function isAllowed({ host, port }: ProxyTarget, rules: readonly string[]): boolean {
  return rules.some((rule) => {
    const wanted = partsOf(rule);
    if (wanted === undefined || !nameFits(host, wanted.host)) return false;
    return wanted.port === undefined ? usualPorts.includes(port) : wanted.port === port;
  });
}

function partsOf(authority: string): { host: string; port: number | undefined } | undefined {
  const [, six, plain, digits] = authorityPattern.exec(authority) ?? [];
  const host = (six ?? plain)?.toLowerCase().replace(/\.$/, '');
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || host === '' || port === 0 || (port ?? 0) > 65_535) return undefined;
  return { host, port };
}

function nameFits(host: string, name: string): boolean {
  if (name === '*') return true;
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}
