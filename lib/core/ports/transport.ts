/** A request as data. What goes over the wire is `packed`, or `body` where there is none, byte for byte. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'PUT';
  /** Absolute https URL of the receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `body`, compressed. */
  readonly packed?: Uint8Array;
  /** Every secret that occurs in url, headers or body: masked before anything is shown or logged. */
  readonly secrets: readonly string[];
}

/** What came back: an answer, or why there is none. */
export type HttpResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lowercase names. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most 64 KiB of it, decoded as UTF-8; `truncated` when there was more. */
      readonly body: string;
      readonly truncated?: boolean;
    }
  | {
      readonly kind: 'failure';
      readonly code: 'timeout' | 'reset' | 'refused' | 'dns' | 'tls' | 'blocked' | 'aborted' | 'other';
      /** The body may have reached the receiver. */
      readonly maybeDelivered: boolean;
      readonly message: string;
    };

/** Sends one request. Resolves always: a failure is a result. */
export interface Transport {
  send(
    request: HttpRequest,
    options: { readonly timeoutMs: number },
  ): Promise<HttpResult & { readonly latencyMs: number }>;
}
