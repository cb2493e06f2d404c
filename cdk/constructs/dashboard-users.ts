// The people who may sign in to the dashboard API: a Cognito user pool whose ID tokens carry the client's id as audience.
// Guarantees: nobody signs up by themselves; passwords never reach our code (SRP); a user whose e-mail is unknown is not told so.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRecovery, Mfa, UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { SessionIssuer } from '../settings.ts';

export class DashboardUsers extends Construct {
  readonly sessionIssuer: SessionIssuer;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      autoVerify: { email: true },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: { minLength: 12 },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const client = new UserPoolClient(this, 'Client', {
      userPool: pool,
      authFlows: { userSrp: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
    });
    const stack = Stack.of(this);
    const { region, urlSuffix } = stack;
    // Said here, not by whoever imports it first: see CoreStack.
    stack.exportValue(pool.userPoolId);
    stack.exportValue(client.userPoolClientId);
    const issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
    this.sessionIssuer = {
      issuer,
      audience: client.userPoolClientId,
      jwksUrl: `${issuer}/.well-known/jwks.json`,
    };
  }
}
