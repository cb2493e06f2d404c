// The issuer's protocol: OpenID Connect by the `oidc-provider` library, configured for one flow only: authorization
// code with PKCE (S256) for one public client, and rotating refresh tokens. All other features of the library are off.
// Guarantees: redirects go only to registered addresses, compared exactly; codes are valid for 60 s; access tokens
// follow RFC 9068 and are valid for 15 minutes; refresh tokens end with their session.
import { createHmac } from 'node:crypto';
import { type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider';
import type { SigningKey } from '#lib/adapters/oidc/issuer.ts';
import { errorPage, signedOutPage, signOutPage } from './pages.ts';
import { FAMILY_MAX_SEC, type SignInStore } from './sign-in-store.ts';

/** The dashboard. It has no secret: it runs in a browser. */
export const CLIENT_ID = 'millrace-dashboard';
/** The audience of access tokens. ID tokens are for the client, so that neither passes for the other. */
export const AUDIENCE = 'millrace-api';
/** The path on each of the dashboard's origins that receives the code. */
export const CALLBACK_PATH = '/sign-in/callback';

const RESOURCE = 'urn:millrace:api';
const SCOPES = ['openid', 'email', 'offline_access'];
const CODE_SEC = 60;
const ACCESS_TOKEN_SEC = 900;
const ID_TOKEN_SEC = 3_600;
const REFRESH_TOKEN_SEC = 14 * 86_400;
const SIGN_IN_SEC = 600;

export interface ProviderParts {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly store: SignInStore;
  /** Origins of the dashboard; without any, signing in is impossible. */
  readonly pages: readonly string[];
  readonly emailOf: (subject: string) => string | undefined;
  readonly onError: (problem: string, error: unknown) => void;
}

export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.issuer, configurationOf(parts));
  provider.on('server_error', (_ctx, error) => parts.onError('the issuer failed', error));
  return provider;
}

function configurationOf({ key, store, pages, emailOf }: ProviderParts): Configuration {
  const policy = interactionPolicy.base();
  // The dashboard is our own, so a consent page is not needed.
  policy.remove('consent');
  return {
    adapter: (model: string) => store.adapterOf(model),
    clients: pages.length === 0 ? [] : [clientOf(pages)],
    clientBasedCORS: (_ctx, origin) => pages.includes(origin),
    jwks: { keys: [key as never] },
    cookies: {
      keys: [createHmac('sha256', String(key.d)).update('cookies of the issuer').digest('base64url')],
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      revocation: '/revoke',
      end_session: '/logout',
      jwks: '/jwks.json',
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email'] },
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: featuresOf(),
    ttl: {
      AccessToken: ACCESS_TOKEN_SEC,
      AuthorizationCode: CODE_SEC,
      Grant: FAMILY_MAX_SEC,
      IdToken: ID_TOKEN_SEC,
      Interaction: SIGN_IN_SEC,
      RefreshToken: REFRESH_TOKEN_SEC,
      Session: FAMILY_MAX_SEC,
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    expiresWithSession: () => true,
    interactions: { policy, url: (_ctx, { uid }) => `/sign-in/${uid}` },
    findAccount: (_ctx, subject) => {
      const email = emailOf(subject);
      if (email === undefined) return undefined;
      return { accountId: subject, claims: () => ({ sub: subject, email }) };
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const known = session.grantIdFor(client.clientId);
      const grant = known === undefined ? undefined : await provider.Grant.find(known);
      if (grant !== undefined) return grant;
      const fresh = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      fresh.addOIDCScope(SCOPES.join(' '));
      await fresh.save();
      return fresh;
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = errorPage(`${out.error}: ${out.error_description ?? ''}`);
    },
  };
}

function featuresOf(): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = signOutPage(form);
      },
      postLogoutSuccessSource: (ctx) => {
        ctx.body = signedOutPage();
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (resource !== RESOURCE) throw new errors.InvalidTarget();
        return {
          scope: '',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: ACCESS_TOKEN_SEC,
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  };
}

const clientOf = (pages: readonly string[]) => ({
  client_id: CLIENT_ID,
  client_name: 'Millrace',
  token_endpoint_auth_method: 'none' as const,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  redirect_uris: pages.map((origin) => `${origin}${CALLBACK_PATH}`),
  post_logout_redirect_uris: pages.map((origin) => `${origin}/`),
});
