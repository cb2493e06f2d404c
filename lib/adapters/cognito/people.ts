// The people of a Cognito user pool. Guarantees: one person for each address, also with concurrent requests; Cognito
// itself mails the invitation with a first password, so no password passes through here.
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type AttributeType,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { People } from '../../core/ports/people.ts';

/** `client`: used instead of a new one. */
export function createPeople(
  userPoolId: string,
  client: Pick<CognitoIdentityProviderClient, 'send'> = new CognitoIdentityProviderClient({ maxAttempts: 3 }),
): People {
  const find: People['find'] = async (email) => {
    try {
      const user = await client.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }));
      return { sub: subjectIn(user.UserAttributes), isConfirmed: user.UserStatus !== 'UNCONFIRMED' };
    } catch (error) {
      if (isNamed(error, 'UserNotFoundException')) return null;
      throw error;
    }
  };
  return {
    find,
    async invite(email) {
      try {
        const { User: user } = await client.send(
          new AdminCreateUserCommand({
            UserPoolId: userPoolId,
            Username: email,
            DesiredDeliveryMediums: ['EMAIL'],
            UserAttributes: [
              { Name: 'email', Value: email },
              { Name: 'email_verified', Value: 'true' },
            ],
          }),
        );
        return subjectIn(user?.Attributes);
      } catch (error) {
        const known = isNamed(error, 'UsernameExistsException') ? await find(email) : null;
        if (known?.isConfirmed !== true) throw error;
        return known.sub;
      }
    },
  };
}

function subjectIn(attributes: readonly AttributeType[] | undefined): string {
  const subject = attributes?.find(({ Name: name }) => name === 'sub')?.Value;
  if (subject === undefined) throw new Error('Cognito answered without the subject of a user');
  return subject;
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
