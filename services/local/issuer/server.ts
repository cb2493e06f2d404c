// A small OpenID Connect provider instead of Cognito: authorization code with PKCE, and its own password page.
// Guarantees: listens on 127.0.0.1 and answers to its own name only; its pages can neither run scripts nor be framed.
// For one laptop: it has a fixed list of people and no registration.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSessionSigner, type SigningKey } from '#lib/adapters/oidc/issuer.ts';
import { listen } from '../http/server.ts';
import { aboutPage, pageHeaders } from './pages.ts';
import { AUDIENCE, CLIENT_ID, createProvider } from './provider.ts';
import { createSignInPage, type Person, sendPage } from './sign-in.ts';
import { type SignInFile, SignInStore } from './sign-in-store.ts';

export interface IssuerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: SigningKey;
  readonly people: readonly Person[];
  readonly now: () => number;
  /** Absent: sign-ins are lost with the process. */
  readonly file?: SignInFile;
  readonly onError?: (problem: string, error: unknown) => void;
}

export interface RunningIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** From now on only pages of these origins may sign people in. */
  servePages(origins: readonly string[]): void;
  /** A token for scripts, without a sign-in. */
  sign(person: Person): Promise<string>;
  close(): Promise<void>;
}

const SCRIPT_TOKEN_SEC = 43_200;
const SCRIPTS = 'millrace-scripts';
const FORGETFUL: SignInFile = { read: () => undefined, write: () => undefined };

/** Throws a LocalProblem when the port is busy. */
export async function startIssuer(options: IssuerOptions): Promise<RunningIssuer> {
  const { key, people, now, file = FORGETFUL, onError = () => undefined } = options;
  const signer = await createSessionSigner(key);
  const store = new SignInStore(file, now);
  const server = createServer();
  const issuer = await listen(server, 'issuer', options.port);
  const emailOf = (subject: string): string | undefined =>
    people.find((person) => person.subject === subject)?.email;
  let pages: readonly string[] = [];
  const make = () => createProvider({ issuer, key, store, pages, emailOf, onError });
  let provider = make();
  const signInPage = createSignInPage({ issuer, people, now, provider: () => provider });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A foreign DNS name that resolves to this address, or `localhost`, whose cookies are shared with other servers.
    if (request.headers.host !== new URL(issuer).host) return refuse(response, 421);
    for (const [name, value] of Object.entries(pageHeaders(pages))) response.setHeader(name, value);
    if (request.method === 'GET' && pathOf(request) === '/') return sendPage(response, 200, aboutPage());
    if (!/^\/sign-in\/[\w-]+$/.test(pathOf(request))) return void provider.callback()(request, response);
    if (request.method !== 'GET' && request.method !== 'POST') return refuse(response, 405);
    signInPage(request, response).catch((error: unknown) => {
      onError('the issuer failed', error);
      refuse(response, 500);
    });
  });
  return {
    issuer,
    audience: AUDIENCE,
    jwksUrl: `${issuer}/jwks.json`,
    servePages(origins) {
      pages = origins;
      provider = make();
    },
    sign: ({ subject }) =>
      signer.sign({
        issuer,
        audience: AUDIENCE,
        subject,
        client: SCRIPTS,
        issuedAtSec: Math.floor(now() / 1_000),
        lifetimeSec: SCRIPT_TOKEN_SEC,
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export { CLIENT_ID };

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

function refuse(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status, { 'content-length': '0' });
  response.end();
}
