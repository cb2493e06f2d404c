// A shop with the pixel and an ingestion endpoint that writes down what reaches it, on real sockets and two origins.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const MERCHANT = '0b8f6d1e-5c2a-4f39-9a47-3d2f1e6c8b90';

export interface SentEvent {
  readonly event_id: string;
  readonly event_name: string;
  readonly [field: string]: unknown;
}

/** One request the endpoint received. `fetchMode` tells a beacon (no-cors) from a request (cors). */
export interface Recorded {
  readonly method: string;
  readonly contentType: string | undefined;
  readonly fetchMode: string | undefined;
  readonly merchantId: unknown;
  readonly events: readonly SentEvent[];
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Undefined: the connection stays open without an answer. */
export type Answering = (events: readonly SentEvent[]) => Answer | undefined;

export const accepted: Answering = (events) => ({
  status: 202,
  body: { success: true, results: events.map(({ event_id }) => ({ event_id, status: 202 })) },
});

export const each =
  (...statuses: number[]): Answering =>
  (events) => ({
    status: 202,
    body: {
      success: false,
      results: events.map(({ event_id }, i) => ({ event_id, status: statuses[i] ?? 202 })),
    },
  });

export const refused =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  () => ({ status, headers, body: { error: 'no', code: 'no' } });

export interface ShopPage {
  /** Attributes of the script element, as text. */
  readonly attributes?: string;
  /** Runs before the script is loaded. The usual stub is there already. */
  readonly before?: string;
  /** Headers of the page, e.g. a Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole page. */
  readonly html?: string;
}

const STUB = 'window.millrace=window.millrace||function(){(millrace.q=millrace.q||[]).push(arguments)};';

export class Shop {
  readonly requests: Recorded[] = [];
  /** Answers in turn; the last one stays. */
  answers: Answering[] = [accepted];
  page: ShopPage = {};
  open = 0;
  openMax = 0;
  private readonly javascript: string;
  private readonly shop: Server;
  private readonly ingestion: Server;

  constructor(javascript: string) {
    this.javascript = javascript;
    this.shop = createServer((_request, response) => this.serve(response));
    this.ingestion = createServer((request, response) => void this.take(request, response));
  }

  async listen(): Promise<void> {
    for (const server of [this.shop, this.ingestion])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const server of [this.shop, this.ingestion]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `http://${host}:${portOf(this.shop)}${path}`;
  }

  get script(): string {
    return `http://127.0.0.1:${portOf(this.ingestion)}/v1/pixel.js`;
  }

  /** All events received, in order, repeated ones repeated. */
  get events(): SentEvent[] {
    return this.requests.flatMap(({ events }) => events);
  }

  get names(): string[] {
    return this.events.map(({ event_name }) => event_name);
  }

  element(attributes = ''): string {
    return `<script async src="${this.script}" data-merchant="${MERCHANT}" ${attributes}></script>`;
  }

  private serve(response: ServerResponse): void {
    const { attributes = '', before = '', headers = {}, html } = this.page;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(
      html ??
        `<!doctype html><title>shop</title><script>${STUB}${before}</script>${this.element(attributes)}`,
    );
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
    if (request.url === '/v1/pixel.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', ...cors });
      response.end(this.javascript);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { merchant_id, events = [] } = text === '' ? {} : JSON.parse(text);
    this.requests.push({
      method: `${request.method} ${request.url}`,
      contentType: request.headers['content-type'],
      fetchMode: request.headers['sec-fetch-mode'] as string | undefined,
      merchantId: merchant_id,
      events,
    });
    this.openMax = Math.max(this.openMax, ++this.open);
    response.on('close', () => this.open--);
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0])?.(events);
    if (answer === undefined) return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...cors, ...answer.headers });
    response.end(JSON.stringify(answer.body ?? {}));
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
