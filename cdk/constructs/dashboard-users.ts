// The people who may sign in to the dashboard: a Cognito user pool, its managed login pages, and one public client.
// Guarantees: nobody signs up by themselves, unless the deployment lets them, with an address that Cognito has verified; passwords are typed at Cognito's own pages only, never at ours: the client has the
// authorization code grant and no other; a refresh token is replaced at every use and refused afterwards; a user whose e-mail
// is unknown is not told so. Where no page is named nobody can sign in, and the API takes keys only.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import type { SessionIssuer, Settings, SignInPages } from '../settings.ts';
import { resourcePrefix } from '../stack-names.ts';
import { type Access, permission } from './stage-function.ts';

/** As at the local issuer. */
const ACCESS_TOKEN = Duration.minutes(15);

export class DashboardUsers extends Construct {
  readonly sessionIssuer: SessionIssuer;
  /** Where people sign in: address of the managed login pages. */
  readonly signInUrl: string;
  readonly #poolId: string;

  constructor(
    scope: Construct,
    id: string,
    { environment, signInPages: pages, signUp }: Pick<Settings, 'environment' | 'signInPages' | 'signUp'>,
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    const pool = new UserPool(this, 'Pool', {
      // Managed login and rotation are not in the plan below it.
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: signUp,
      signInAliases: { email: true },
      autoVerify: { email: true },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: { minLength: 12 },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const client = createClient(this, pool, pages);
    const domainPrefix = pages.domainPrefix ?? `${resourcePrefix(environment)}-${stack.account}`;
    const domain = pool.addDomain('SignIn', {
      cognitoDomain: { domainPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Managed login shows no page to a client without a style.
    new CfnManagedLoginBranding(this, 'SignInStyle', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    this.signInUrl = domain.baseUrl();
    this.#poolId = pool.userPoolId;
    const { region, urlSuffix } = stack;
    // Said here, not by whoever imports it first: see CoreStack.
    stack.exportValue(pool.userPoolId);
    stack.exportValue(client.userPoolClientId);
    stack.exportValue(domain.domainName);
    const issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
    this.sessionIssuer = {
      issuer,
      audience: client.userPoolClientId,
      jwksUrl: `${issuer}/.well-known/jwks.json`,
    };
  }

  /** To find a person by the address, and to invite one. */
  inviting(): Access {
    // By its id, which is exported: an export of its ARN would come and go with whoever uses it.
    const resource = Stack.of(this).formatArn({
      service: 'cognito-idp',
      resource: 'userpool',
      resourceName: this.#poolId,
    });
    return permission(['cognito-idp:AdminGetUser', 'cognito-idp:AdminCreateUser'], [resource], {
      [CORE_ENV.userPoolId]: this.#poolId,
    });
  }
}

function createClient(scope: Construct, userPool: UserPool, pages: SignInPages): UserPoolClient {
  const { callbackUrls, logoutUrls } = pages;
  const oAuth = {
    flows: { authorizationCodeGrant: true, implicitCodeGrant: false, clientCredentials: false },
    scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
    callbackUrls: [...callbackUrls],
    logoutUrls: [...logoutUrls],
  };
  return new UserPoolClient(scope, 'Client', {
    userPool,
    // A browser keeps no secret: PKCE stands in for it.
    generateSecret: false,
    // A list without a flow would mean Cognito's default, which takes passwords from any program. Custom challenges need
    // functions that this pool does not have, so this entry lets nobody in.
    authFlows: { custom: true },
    ...(callbackUrls.length === 0 ? { disableOAuth: true } : { oAuth }),
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    refreshTokenRotationGracePeriod: Duration.seconds(0),
    accessTokenValidity: ACCESS_TOKEN,
    idTokenValidity: Duration.hours(1),
    refreshTokenValidity: Duration.days(30),
  });
}
