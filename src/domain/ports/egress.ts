// What the domain asks of the network: requests to addresses that a caller or a discovery document names, and no others.

export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these bytes in UTF-8. */
  readonly body?: string;
  /** From the first look at the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** More of the answer's body is not read. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

/** Redirects are answers like any other: they are not followed. */
export type EgressAnswer =
  | {
      readonly outcome: 'answered';
      readonly statusCode: number;
      readonly contentType: string | undefined;
      readonly body: Uint8Array;
      /** False: the body was longer than asked for, or broke off. */
      readonly complete: boolean;
    }
  /** The address may not be reached. `reason` is a sentence without any part of the address. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** No answer came. */
  | { readonly outcome: 'failed'; readonly reason: string };

/** What can be known of an address before anything is sent there. */
export interface EgressRule {
  /** Why this address is refused, as the end of a sentence that begins with it; undefined when nothing is known against it. */
  refusal(url: string): string | undefined;
}

export interface Egress extends EgressRule, AsyncDisposable {
  /** Never throws: what goes wrong is an answer too. */
  send(request: EgressRequest): Promise<EgressAnswer>;
}
