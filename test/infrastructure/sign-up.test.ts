// Goal: who may sign up is the setting's to say, and no function may do more for it. Method: the templates of both.
import { expect, it } from 'vitest';
import { resourcesOf, synthesized, variablesOf } from './synthesized.ts';

const production = () => synthesized({ ephemeral: false });

it('lets people sign up where the setting says so: with a verified address, and no right of any function more', () => {
  const open = synthesized({ ephemeral: false, context: { signUp: true, signUpShopsMax: 2 } });
  const [pool] = resourcesOf(open, 'AWS::Cognito::UserPool');
  expect(pool?.Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
    AutoVerifiedAttributes: ['email'],
    UsernameAttributes: ['email'],
  });
  expect(JSON.parse(String(variablesOf(open, 'api').SIGN_UP))).toEqual({
    shops: 2,
    perAddress: 5,
    serverEventsPerDay: 10_000,
    browserEventsPerMinute: 60,
  });
  expect(variablesOf(production(), 'api')).not.toHaveProperty('SIGN_UP');
  const policies = (one: typeof open) =>
    resourcesOf(one, 'AWS::IAM::Policy').map(({ Properties }) => Properties);
  expect(policies(open)).toEqual(policies(production()));
});
