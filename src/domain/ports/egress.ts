// The port of outgoing HTTP: requests to URLs that a caller or a discovery document names, and no others.

export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these bytes in UTF-8. */
  readonly body?: string;
  /** From the name lookup to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The rest of a longer body is not read. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

/** A redirect is an ordinary answer: it is not followed. */
export type EgressAnswer =
  | {
      readonly outcome: 'answered';
      readonly statusCode: number;
      readonly contentType: string | undefined;
      readonly body: Uint8Array;
      /** False: the body was longer than `maxAnswerBytes`, or ended early. */
      readonly complete: boolean;
    }
  /** The URL is not allowed. `reason` is a sentence without any part of the URL. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** There was no answer. */
  | { readonly outcome: 'failed'; readonly reason: string };

/** Checks URLs before anything is sent to them. */
export interface EgressRule {
  /** Why this URL is refused, as the end of a sentence that begins with it; undefined: it may be allowed. */
  refusal(url: string): string | undefined;
}

export interface Egress extends EgressRule, AsyncDisposable {
  /** Never throws: a failure is an answer too. */
  send(request: EgressRequest): Promise<EgressAnswer>;
}
