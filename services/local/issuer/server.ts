// A small OpenID Connect issuer with password sign-in, in the place Cognito has in AWS.
// Guarantees: tokens are ES256 and live 12 hours; a wrong name and a wrong password get the same answer.
// For one laptop: it knows the people it is given and nobody can register.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createSessionSigner,
  type SessionSigner,
  type SigningKey,
} from '../../../lib/adapters/oidc/issuer.ts';
import { LocalProblem } from '../problem.ts';
import { busyPort } from '../settings.ts';

export interface Person {
  readonly subject: string;
  readonly email: string;
  readonly password: string;
}

export interface IssuerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: SigningKey;
  readonly people: readonly Person[];
  readonly now: () => number;
}

export interface RunningIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  sign(person: Person): Promise<string>;
  close(): Promise<void>;
}

export const AUDIENCE = 'millrace-dashboard';
const LIFETIME_SEC = 43_200;
const BODY_MAX_BYTES = 16_384;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Throws a LocalProblem when the port is busy. */
export async function startIssuer(options: IssuerOptions): Promise<RunningIssuer> {
  const signer = await createSessionSigner(options.key);
  let issuer = '';
  const sign = (person: Person): Promise<string> =>
    signer.sign({
      issuer,
      audience: AUDIENCE,
      subject: person.subject,
      email: person.email,
      issuedAtSec: Math.floor(options.now() / 1_000),
      lifetimeSec: LIFETIME_SEC,
    });
  const server = createServer((request, response) => {
    reply({ options, signer, sign, issuer }, request).then(
      (answer) => write(response, answer),
      () => write(response, { status: 500, body: { error: 'server_error' } }),
    );
  });
  await new Promise<void>((done, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new LocalProblem(busyPort(options.port, 'issuer', error.code ?? error.message)));
    });
    server.listen(options.port, '127.0.0.1', () => done());
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    audience: AUDIENCE,
    jwksUrl: `${issuer}/jwks.json`,
    sign,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface State {
  readonly options: IssuerOptions;
  readonly signer: SessionSigner;
  readonly sign: (person: Person) => Promise<string>;
  readonly issuer: string;
}

async function reply(state: State, request: IncomingMessage): Promise<Reply> {
  const path = (request.url ?? '/').split('?')[0];
  switch (`${request.method} ${path}`) {
    case 'GET /.well-known/openid-configuration':
      return { status: 200, body: configuration(state.issuer) };
    case 'GET /jwks.json':
      return { status: 200, body: state.signer.publicKeys };
    case 'POST /token':
      return token(state, new URLSearchParams(await readBody(request)));
    case 'OPTIONS /token':
      return { status: 204, body: undefined };
    default:
      return { status: 404, body: { error: 'not_found' } };
  }
}

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
const configuration = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/jwks.json`,
  token_endpoint: `${issuer}/token`,
  grant_types_supported: ['password'],
  response_types_supported: ['token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  token_endpoint_auth_methods_supported: ['none'],
});

/** https://datatracker.ietf.org/doc/html/rfc6749#section-4.3 */
async function token({ options, sign }: State, form: URLSearchParams): Promise<Reply> {
  if (form.get('grant_type') !== 'password')
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  const name = form.get('username')?.trim().toLowerCase();
  const person = options.people.find(({ email }) => email === name);
  const matches = same(form.get('password') ?? '', person?.password ?? '');
  if (person === undefined || !matches) return { status: 400, body: { error: 'invalid_grant' } };
  const jwt = await sign(person);
  return {
    status: 200,
    body: { access_token: jwt, id_token: jwt, token_type: 'Bearer', expires_in: LIFETIME_SEC },
  };
}

/** Takes as long for a wrong first character as for a wrong last one. */
function same(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected)) && expected !== '';
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return sizeBytes > BODY_MAX_BYTES ? '' : Buffer.concat(chunks).toString();
}

function write(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type',
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
