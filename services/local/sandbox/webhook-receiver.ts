// Receives webhooks, for a look at what was sent: `POST /webhooks/{any name}` is answered 200 and kept, `GET /webhooks` lists
// what came, newest first. Guarantees: keeps the newest 1,000, and nothing on disk.
import type { IncomingHttpHeaders } from 'node:http';

export interface ReceivedWebhook {
  readonly at: string;
  readonly name: string;
  /** `webhook-…` and the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const KEPT_MAX = 1_000;

export class WebhookReceiver {
  #received: readonly ReceivedWebhook[] = [];

  take(name: string, headers: IncomingHttpHeaders, body: string, nowMs: number): void {
    const shown = Object.entries(headers).flatMap(([header, value]) =>
      header.startsWith('webhook-') || header === 'content-type' ? [[header, String(value)]] : [],
    );
    const one = { at: new Date(nowMs).toISOString(), name, headers: Object.fromEntries(shown), body };
    this.#received = [one, ...this.#received].slice(0, KEPT_MAX);
  }

  list(): readonly ReceivedWebhook[] {
    return this.#received;
  }

  clear(): void {
    this.#received = [];
  }
}
