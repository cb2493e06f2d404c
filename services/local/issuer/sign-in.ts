// The password page that a sign-in begins with.
// Guarantees: a wrong name and a wrong password get the same answer and take the same time; after ten wrong ones in a
// minute, from any sender, all sign-ins are refused until the minute is over. Refuses: forms sent by pages of other
// origins.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { slideWindow } from '#lib/core/work/sliding-window.ts';
import { readBody } from '../http/server.ts';
import { errorPage, type SignInPage, signInPage } from './pages.ts';

export interface Person {
  readonly subject: string;
  readonly email: string;
  readonly password: string;
}

export interface SignInPageParts {
  readonly issuer: string;
  readonly people: readonly Person[];
  readonly now: () => number;
  /** Call it per request only: the provider is replaced when pages are added. */
  readonly provider: () => Provider;
}

const WRONG_PASSWORDS = { events: 10, windowSec: 60 } as const;
const FORM_MAX_BYTES = 4_096;
const NOT_GOING_ON = 'This sign-in has ended, or was begun in another browser.';

/** Answers GET and POST of `/sign-in/:uid`. */
export function createSignInPage(parts: SignInPageParts) {
  let wrong: readonly number[] = [];

  /** No await between reading the window and counting in it, so that concurrent attempts are counted one by one. */
  function check(email: string, password: string): Person | { readonly retryAfterSec: number } {
    const room = slideWindow(wrong, 0, parts.now(), WRONG_PASSWORDS);
    wrong = room.ring;
    if (room.remaining === 0) return { retryAfterSec: Math.ceil(room.retryAfterSec) };
    const person = parts.people.find((one) => one.email === email.trim().toLowerCase());
    const matches = same(password, person?.password ?? '');
    if (person !== undefined && matches) return person;
    wrong = slideWindow(wrong, 1, parts.now(), WRONG_PASSWORDS).ring;
    return { retryAfterSec: 0 };
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const provider = parts.provider();
    // Throws if the browser's own cookie does not name a running sign-in.
    const current = await provider.interactionDetails(request, response).catch(() => undefined);
    if (
      current === undefined ||
      new URL(request.url ?? '', parts.issuer).pathname !== `/sign-in/${current.uid}`
    )
      return sendPage(response, 400, errorPage(NOT_GOING_ON));
    if (request.method === 'GET') return sendPage(response, 200, signInPage({}));
    const { origin = parts.issuer } = request.headers;
    if (origin !== parts.issuer)
      return sendPage(response, 403, errorPage('The form was sent by another page.'));
    const body = await readBody(request, FORM_MAX_BYTES);
    if (body === null) return sendPage(response, 413, errorPage('The form is too large.'));
    const form = new URLSearchParams(body.toString());
    const email = form.get('email') ?? '';
    const checked = check(email, form.get('password') ?? '');
    if ('subject' in checked) {
      const result = { login: { accountId: checked.subject } };
      return await provider.interactionFinished(request, response, result, {
        mergeWithLastSubmission: false,
      });
    }
    const { retryAfterSec } = checked;
    if (retryAfterSec > 0) response.setHeader('retry-after', String(retryAfterSec));
    sendPage(response, retryAfterSec > 0 ? 429 : 401, signInPage(refusal(email, retryAfterSec)));
  };
}

const refusal = (email: string, retryAfterSec: number): SignInPage => ({
  email,
  problem:
    retryAfterSec > 0
      ? `Too many wrong passwords. Try again in ${retryAfterSec} seconds.`
      : 'The e-mail or the password is wrong.',
});

/** Constant time, wherever the strings differ. */
function same(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected)) && expected !== '';
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(html);
}
