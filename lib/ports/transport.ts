import type { HttpRequest, HttpResult } from '../platforms/platform.ts';

/** Sends one request to a platform. Resolves always: a failure is a result. */
export interface Transport {
  send(
    request: HttpRequest,
    options: { readonly timeoutMs: number },
  ): Promise<HttpResult & { readonly latencyMs: number }>;
}
