import { describe, expect, it } from 'vitest';
import { hindranceOf, type Role, rolesFor } from './team.ts';

const person = (id: string, role: Role) => ({ id, role });
const ada = person('ada', 'owner');

describe('who may change whom', () => {
  it.each([
    ['an admin an admin', person('bob', 'admin'), [ada], 'admin', undefined],
    ['an admin an owner', ada, [ada], 'admin', /Only an owner/],
    ['an owner one of two owners', ada, [ada, person('eve', 'owner')], 'owner', undefined],
    ['an owner the last owner', ada, [ada, person('bob', 'admin')], 'owner', /last owner stays/],
    ['an owner a member', person('joe', 'member'), [ada], 'owner', undefined],
  ] as const)('%s', (_name, member, members, own, expected) => {
    const said = hindranceOf(member, members, own);
    if (expected === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(expected);
  });

  it('offers the role of an owner to owners only', () => {
    const roles = (own: 'admin' | 'owner' | null) => rolesFor(own).map(([role]) => role);
    expect([roles('owner'), roles('admin'), roles(null)]).toEqual([
      ['viewer', 'agent', 'member', 'admin', 'owner'],
      ['viewer', 'agent', 'member', 'admin'],
      ['viewer', 'agent', 'member', 'admin'],
    ]);
  });
});
