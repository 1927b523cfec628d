// A list of hosts that search engines or social networks have. `example.com` stands for itself and all below it,
// `example.*` for that name under every top-level domain and nothing below it: mail.google.com is no search engine.

const pattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:\*|[a-z][a-z0-9-]+)$/;

/** Whether a text may stand in the list. */
export function isHostPattern(text: string): boolean {
  return text.length <= 253 && pattern.test(text);
}

export class HostList {
  readonly #names: ReadonlySet<string>;

  constructor(patterns: readonly string[]) {
    this.#names = new Set(patterns);
  }

  /** @param host in lower case, without `www.` */
  has(host: string): boolean {
    const labels = host.split('.');
    const isBelow = labels.some((_, i) => this.#names.has(labels.slice(i).join('.')));
    // A country may have a second level, as co.uk and com.au.
    const hasSecondLevel = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
    const stems = [labels.slice(0, -1), ...(hasSecondLevel ? [labels.slice(0, -2)] : [])];
    return isBelow || stems.some((stem) => this.#names.has(`${stem.join('.')}.*`));
  }
}
