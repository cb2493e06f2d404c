// The helpdesk of a running host as a stranger meets it: requests over HTTP, and a receiver of webhooks that outlives the host.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface DeskAnswer {
  /** 0: no answer came. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; null where it is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface Asked {
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Desk = (method: string, path: string, asked?: Asked) => Promise<DeskAnswer>;

/** Sends `credential` with each request; a request may leave it out with a header of its own. */
export function deskAt(base: string, credential: Readonly<Record<string, string>>): Desk {
  return async (method, path, { body, headers = {} } = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...credential,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: objectIn(text) };
  };
}

export const withKey = (key: string) => ({ 'x-api-key': key });
export const withSession = (token: string) => ({ authorization: `Bearer ${token}` });

function objectIn(text: string): DeskAnswer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as DeskAnswer['body']) : null;
  } catch {
    return null;
  }
}

/** What is wrong with a failure's shape; empty where it is exactly `{error: sentence}`. */
export function shapeProblems({ status, headers, text, body }: DeskAnswer): readonly string[] {
  if (status < 400) return [];
  const problems: string[] = [];
  if (body === null || Object.keys(body).join() !== 'error' || typeof body.error !== 'string')
    problems.push(`${status} ${text.slice(0, 200)}`);
  if (headers.get('content-type')?.startsWith('application/json') !== true)
    problems.push(`${status} as ${headers.get('content-type')}`);
  if ((status === 429 || status === 503) && !(Number(headers.get('retry-after')) > 0))
    problems.push(`${status} with Retry-After ${headers.get('retry-after')}`);
  return problems;
}

export interface Hook {
  /** `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly account_id: string;
    readonly version: number;
    readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type HookSink = Awaited<ReturnType<typeof startHookSink>>;

/** Takes everything that is sent to it. */
export async function startHookSink() {
  const hooks: Hook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = JSON.parse(text) as Hook['body'];
    hooks.push({ id: headers['webhook-id'] ?? '', type: body.type, body, headers, text });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    hooks,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Throws where it is not signed with the secret. */
export function verifyHook({ text, headers }: Hook, secret: string): void {
  new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** As `verifyHook`, which refuses what was sent more than five minutes ago. */
export function isSigned({ id, text, headers }: Hook, secret: string): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
  return (headers['webhook-signature'] ?? '').split(' ').includes(new Webhook(secret).sign(id, sentAt, text));
}
