// A client of an OpenID Connect provider by plain HTTP: PKCE, a jar of cookies, redirects one by one. It decides nothing.
import { createHash, randomBytes } from 'node:crypto';

export interface Endpoints {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly token_type: string;
}

export interface TokenReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Partial<Tokens> & { readonly error?: string };
}

export const newVerifier = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** What a page sends the browser to. `changes` with an empty value leave the parameter out. */
export function authorizeUrl(
  at: Endpoints,
  verifier: string,
  changes: Readonly<Record<string, string>> = {},
): string {
  const fields = {
    client_id: at.clientId,
    redirect_uri: at.redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return `${at.issuer}/authorize?${new URLSearchParams(given)}`;
}

/** One browser: keeps cookies, follows nothing by itself. */
export function newVisitor() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async ask(url: string, init: RequestInit = {}): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
      const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? [];
        if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
  };
}

export type Visitor = ReturnType<typeof newVisitor>;

/** To the password page; its address. */
export async function toPasswordPage(visitor: Visitor, url: string): Promise<string> {
  const answer = await visitor.ask(url);
  return new URL(answer.headers.get('location') ?? '', url).href;
}

export function sendPassword(visitor: Visitor, page: string, email: string, password: string) {
  return visitor.ask(page, { method: 'POST', body: new URLSearchParams({ email, password }) });
}

/** From a right password to the address of the page, with its code. */
export async function backToPage(visitor: Visitor, answer: Response, issuer: string): Promise<URL> {
  let at = new URL(answer.headers.get('location') ?? '', issuer);
  for (let hops = 0; hops < 5 && at.origin === issuer; hops++) {
    const next = await visitor.ask(at.href);
    at = new URL(next.headers.get('location') ?? 'about:blank', at);
  }
  return at;
}

export async function askToken(
  issuer: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenReply> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as TokenReply['body'],
  };
}

export const exchange = (at: Endpoints, code: string, verifier: string) =>
  askToken(at.issuer, {
    grant_type: 'authorization_code',
    client_id: at.clientId,
    redirect_uri: at.redirectUri,
    code,
    code_verifier: verifier,
  });

export const refresh = (at: Endpoints, token: string | undefined) =>
  askToken(at.issuer, {
    grant_type: 'refresh_token',
    client_id: at.clientId,
    refresh_token: token ?? '',
  });
