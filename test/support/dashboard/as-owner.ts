// The events API as the shop's owner calls it from a script: what pages show is compared with it, and changed behind their backs.
import type { Page, Request } from 'playwright-core';
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

/** Changes that a page sends from here on; of these paths, all where none is named. */
export const requestsSent = (page: Page, path?: RegExp): Request[] =>
  collected(page, path, (request) => request);

/** As method and path. */
export const changesSent = (page: Page, path?: RegExp): string[] =>
  collected(page, path, (request) => `${request.method()} ${new URL(request.url()).pathname}`);

export const bodiesSent = (page: Page, path: RegExp): string[] =>
  collected(page, path, (request) => request.postData() ?? '');

function collected<T>(page: Page, path: RegExp = /^\/(?:v1|api)\//, of: (request: Request) => T): T[] {
  const sent: T[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && path.test(new URL(request.url()).pathname)) sent.push(of(request));
  });
  return sent;
}
