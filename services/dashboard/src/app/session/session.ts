// Signing in by authorization code with PKCE, at the issuer that config.json names; this app never sees a password.
// Guarantees: the access token is in memory only; a refresh token is used once, by one request at a time, and replaced;
// after signing in the requested URL is shown. Refuses: an answer to a sign-in this tab did not begin.
import * as oauth from 'oauth4webapi';
import type { TabStore } from './tab.ts';

/** `config.json`: what only a deployment knows. */
export interface SignInConfig {
  readonly issuer: string;
  readonly client_id: string;
}

export type Opened =
  | { readonly kind: 'signed-in' }
  /** The browser is navigating to the issuer. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Session {
  /** The state when the page loads. */
  open(): Promise<Opened>;
  /** Valid for at least a minute if the issuer can be reached; '' if no one is signed in. */
  token(): Promise<string>;
  /** A different token than `refused`; null if there is none. */
  renew(refused: string): Promise<string | null>;
  /** Navigates to the issuer, which returns to the current URL. */
  begin(): Promise<Opened>;
  signOut(): Promise<void>;
  person(): string | undefined;
  /** The listener is called when the session has ended. */
  onEnded(listener: () => void): void;
}

const CALLBACK = '/sign-in/callback';
const EARLY_SEC = 60;
const CHANNEL = 'millrace.session';

interface Begun {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly back: string;
}

interface Access {
  readonly token: string;
  readonly idToken: string | undefined;
  /** On the clock of `performance.now()`, because the machine's clock may be wrong. */
  readonly renewAtMs: number;
}

export class BrowserSession implements Session {
  readonly #issuer: URL;
  readonly #client: oauth.Client;
  readonly #store: TabStore;
  /** The local issuer speaks HTTP, on this machine only. */
  readonly #insecure: { readonly [oauth.allowInsecureRequests]: boolean };
  readonly #redirectUri = `${location.origin}${CALLBACK}`;
  readonly #channel = new BroadcastChannel(CHANNEL);
  #access: Access | undefined;
  #person: string | undefined;
  #server: Promise<oauth.AuthorizationServer> | undefined;
  #renewing: Promise<string | null> | undefined;
  #ended: () => void = () => undefined;

  constructor({ issuer, client_id }: SignInConfig, store: TabStore) {
    this.#issuer = new URL(issuer);
    this.#client = { client_id };
    this.#store = store;
    const { protocol, hostname } = this.#issuer;
    this.#insecure = { [oauth.allowInsecureRequests]: protocol === 'http:' && hostname === '127.0.0.1' };
    this.#channel.onmessage = () => this.#end();
  }

  person(): string | undefined {
    return this.#person;
  }

  onEnded(listener: () => void): void {
    this.#ended = listener;
  }

  async open(): Promise<Opened> {
    try {
      if (location.pathname === CALLBACK) return await this.#finish();
      if (this.#store.read('signed-out') !== null) {
        this.#store.write('signed-out', null);
        return { kind: 'signed-out' };
      }
      return (await this.#renewed()) === null ? await this.begin() : { kind: 'signed-in' };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }

  async token(): Promise<string> {
    if (this.#access === undefined) return '';
    if (performance.now() < this.#access.renewAtMs) return this.#access.token;
    // If the issuer cannot be reached, the old token is valid for another minute.
    return (await this.#renewed().catch(() => this.#access?.token)) ?? '';
  }

  async renew(refused: string): Promise<string | null> {
    if (this.#access !== undefined && this.#access.token !== refused) return this.#access.token;
    return await this.#renewed().catch(() => null);
  }

  async begin(): Promise<Opened> {
    if (!this.#store.isDurable)
      return {
        kind: 'failed',
        reason: 'This browser keeps nothing for this page: allow it storage to sign in.',
      };
    const server = await this.#discovered();
    const { pathname, search, hash } = location;
    const begun: Begun = {
      state: oauth.generateRandomState(),
      verifier: oauth.generateRandomCodeVerifier(),
      nonce: oauth.generateRandomNonce(),
      back: pathname.startsWith('/sign-in/') ? '/' : pathname + search + hash,
    };
    this.#store.write('begun', JSON.stringify(begun));
    const to = new URL(server.authorization_endpoint ?? '');
    to.search = new URLSearchParams({
      client_id: this.#client.client_id,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    }).toString();
    location.assign(to);
    return { kind: 'leaving' };
  }

  async signOut(): Promise<void> {
    const refreshToken = this.#store.read('refresh');
    const hint = this.#access?.idToken;
    this.#access = undefined;
    this.#store.write('refresh', null);
    this.#store.write('signed-out', '1');
    this.#channel.postMessage('signed out');
    const server = await this.#discovered();
    if (refreshToken !== null && server.revocation_endpoint !== undefined)
      await oauth
        .revocationRequest(server, this.#client, oauth.None(), refreshToken, this.#insecure)
        .catch(() => undefined);
    location.assign(leavingUrl(server.end_session_endpoint, this.#client.client_id, hint));
  }

  async #finish(): Promise<Opened> {
    const stored = this.#store.read('begun');
    this.#store.write('begun', null);
    if (stored === null) return { kind: 'failed', reason: 'This sign-in was not begun in this tab.' };
    const begun = JSON.parse(stored) as Begun;
    const server = await this.#discovered();
    const given = oauth.validateAuthResponse(server, this.#client, new URL(location.href), begun.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      oauth.None(),
      given,
      this.#redirectUri,
      begun.verifier,
      this.#insecure,
    );
    const expected = { expectedNonce: begun.nonce };
    this.#keep(await oauth.processAuthorizationCodeResponse(server, this.#client, response, expected));
    history.replaceState(null, '', begun.back);
    return { kind: 'signed-in' };
  }

  #renewed(): Promise<string | null> {
    this.#renewing ??= this.#refresh().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #refresh(): Promise<string | null> {
    const known = this.#store.read('refresh');
    if (known === null) {
      this.#ended();
      return null;
    }
    const server = await this.#discovered();
    const response = await oauth.refreshTokenGrantRequest(
      server,
      this.#client,
      oauth.None(),
      known,
      this.#insecure,
    );
    if (response.status >= 500) throw new Error(`The sign-in service answered ${response.status}.`);
    try {
      return this.#keep(await oauth.processRefreshTokenResponse(server, this.#client, response));
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      this.#end();
      return null;
    }
  }

  #keep(tokens: oauth.TokenEndpointResponse): string {
    const goodSec = Math.max(0, (tokens.expires_in ?? 0) - EARLY_SEC);
    this.#access = {
      token: tokens.access_token,
      idToken: tokens.id_token ?? this.#access?.idToken,
      renewAtMs: performance.now() + goodSec * 1_000,
    };
    if (tokens.refresh_token !== undefined) this.#store.write('refresh', tokens.refresh_token);
    const email = oauth.getValidatedIdTokenClaims(tokens)?.email;
    if (typeof email === 'string') this.#person = email;
    return this.#access.token;
  }

  #end(): void {
    this.#access = undefined;
    this.#store.write('refresh', null);
    this.#ended();
  }

  #discovered(): Promise<oauth.AuthorizationServer> {
    this.#server ??= oauth
      .discoveryRequest(this.#issuer, { algorithm: 'oidc', ...this.#insecure })
      .then((response) => oauth.processDiscoveryResponse(this.#issuer, response))
      .catch((error: unknown) => {
        this.#server = undefined;
        throw error;
      });
    return this.#server;
  }
}

/** Standard names, and Cognito's own ones; each provider omits those of the other. */
function leavingUrl(endpoint: string | undefined, clientId: string, hint: string | undefined): URL {
  const home = `${location.origin}/`;
  const to = new URL(endpoint ?? home);
  if (endpoint !== undefined)
    to.search = new URLSearchParams({
      client_id: clientId,
      post_logout_redirect_uri: home,
      logout_uri: home,
      ...(hint === undefined ? {} : { id_token_hint: hint }),
    }).toString();
  return to;
}

function reasonOf(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error_description ?? `The sign-in service says: ${error.error}.`;
  if (error instanceof oauth.ResponseBodyError)
    return 'The code of this sign-in was used before, or is too old.';
  if (error instanceof TypeError) return 'The sign-in service does not answer.';
  return error instanceof Error ? error.message : String(error);
}
