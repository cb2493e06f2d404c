// The roles of a merchant's people, and what each opens in each product. A role is no more than its rights: no role is above
// another but by having all that the other has. A role opens several products at once, and what a person hands on is compared in
// each of them: that is why core names the products here, and nowhere else.
import type { KeyProduct } from './api-key.ts';

/**
 * What only people hold, and routes ask of their sessions. `see`: reads. `answer`: deals with customers. `manage`: changes
 * settings, keys and the team. `own`: pays, and makes owners.
 */
export const RIGHTS = [
  'see:events',
  'manage:events',
  'see:helpdesk',
  'answer:helpdesk',
  'manage:helpdesk',
  'own:merchant',
] as const;
export type Right = (typeof RIGHTS)[number];

export const MEMBER_ROLES = ['viewer', 'agent', 'member', 'admin', 'owner'] as const;
/**
 * `viewer` reads both products; `agent` answers customers and knows of the helpdesk only; `member` does what these two do;
 * `admin` manages; `owner` pays as well.
 */
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** `name`: as people and answers name the product. `manages`: the right to change its settings, keys and team. */
export const PRODUCTS = {
  evk: { name: 'events', manages: 'manage:events' },
  hdk: { name: 'helpdesk', manages: 'manage:helpdesk' },
} as const satisfies Record<KeyProduct, { readonly name: string; readonly manages: Right }>;

/** For documents. */
export const ROLES_TEXT =
  '`viewer` reads events and the helpdesk and changes nothing; `agent` answers customers in the helpdesk and sees nothing else; `member` does what these two do; `admin` manages all but billing and owners; `owner` everything.';

const ROLES: Readonly<Record<MemberRole, Readonly<Record<KeyProduct, readonly Right[]>>>> = {
  viewer: { evk: ['see:events'], hdk: ['see:helpdesk'] },
  agent: { evk: [], hdk: ['see:helpdesk', 'answer:helpdesk'] },
  member: { evk: ['see:events'], hdk: ['see:helpdesk', 'answer:helpdesk'] },
  admin: {
    evk: ['see:events', 'manage:events'],
    hdk: ['see:helpdesk', 'answer:helpdesk', 'manage:helpdesk'],
  },
  owner: {
    evk: ['see:events', 'manage:events', 'own:merchant'],
    hdk: ['see:helpdesk', 'answer:helpdesk', 'manage:helpdesk', 'own:merchant'],
  },
};

/** In this product; in all of them where none is named. */
export const rightsOf = (role: MemberRole, product?: KeyProduct): readonly Right[] =>
  product === undefined ? [...new Set(Object.values(ROLES[role]).flat())] : ROLES[role][product];
