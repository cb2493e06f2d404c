// The events API as the shop's owner calls it from a script: what pages show is compared with it, and changed behind their backs.
import type { Page } from 'playwright-core';
import type { Session } from '#services/local/session.ts';

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly body: any;
}

export async function asOwner(
  { origin_url, session_jwt }: Session,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const answer = await fetch(origin_url + path, {
    method,
    headers: { authorization: `Bearer ${session_jwt}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Changes a page sends from here on, as method and path. */
export function changesSent(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/v1/'))
      sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}
