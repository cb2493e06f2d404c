// Goal: no account that someone made for another's address, and never confirmed, is taken for that person.
// Method: a user pool that answers as Cognito's reference says.
import { expect, it } from 'vitest';
import { createPeople } from './people.ts';

const pool = (status: string | null) =>
  createPeople('pool', {
    send: async (command: { readonly constructor: { readonly name: string } }) => {
      const failure = (name: string) => Object.assign(new Error(name), { name });
      if (command.constructor.name === 'AdminCreateUserCommand') throw failure('UsernameExistsException');
      if (status === null) throw failure('UserNotFoundException');
      return { UserStatus: status, UserAttributes: [{ Name: 'sub', Value: 'sub-1' }] };
    },
  } as never);

it.each([
  ['CONFIRMED', true],
  ['FORCE_CHANGE_PASSWORD', true],
  ['UNCONFIRMED', false],
])('a person who is %s is found as such', async (status, isConfirmed) => {
  expect(await pool(status).find('a@shop.example')).toEqual({ sub: 'sub-1', isConfirmed });
  const invited = pool(status).invite('a@shop.example');
  await (isConfirmed
    ? expect(invited).resolves.toBe('sub-1')
    : expect(invited).rejects.toThrow('UsernameExists'));
});

it('no person is found where there is none', async () => {
  expect(await pool(null).find('a@shop.example')).toBeNull();
});
