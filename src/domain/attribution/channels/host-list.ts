// A list of hosts, as search engines and social networks are told by: `example.com` stands for itself and all below it, `example.*`
// for that name under every top-level domain.

const pattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:\*|[a-z][a-z0-9-]+)$/;

/** Whether a text may stand in the list. */
export function isHostPattern(text: string): boolean {
  return text.length <= 253 && pattern.test(text);
}

export class HostList {
  readonly #exact: ReadonlySet<string>;
  /** The names before `.*`. */
  readonly #stems: ReadonlySet<string>;

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((each) => !each.endsWith('.*')));
    this.#stems = new Set(patterns.filter((each) => each.endsWith('.*')).map((each) => each.slice(0, -2)));
  }

  /** @param host in lower case */
  has(host: string): boolean {
    const labels = host.split('.');
    return labels.some((_, i) => {
      const rest = labels.slice(i);
      if (this.#exact.has(rest.join('.')) || this.#stems.has(rest.slice(0, -1).join('.'))) return true;
      // A country may have a second level, as co.uk and com.au.
      const isSecondLevel = rest.at(-1)?.length === 2 && (rest.at(-2)?.length ?? 0) <= 3;
      return isSecondLevel && this.#stems.has(rest.slice(0, -2).join('.'));
    });
  }
}
