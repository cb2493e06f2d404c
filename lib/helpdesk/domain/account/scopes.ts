// What a credential of the helpdesk may open: the scopes of an API key, and what people's rights bring along. Guarantees: no scope
// grants another.
import type { ProductAccess } from '#lib/core/tenancy/grant.ts';
import type { Right } from '#lib/core/tenancy/role.ts';

const HELPDESK_RIGHTS = ['see:helpdesk', 'answer:helpdesk', 'manage:helpdesk'] as const satisfies Right[];
type HelpdeskRight = (typeof HELPDESK_RIGHTS)[number];

/** What brings each scope along, of people; a key amounts to a right by having all of its scopes. */
const RIGHT_OF = {
  'read:contacts': 'see:helpdesk',
  'write:contacts': 'answer:helpdesk',
  'read:knowledge': 'see:helpdesk',
  'write:knowledge': 'manage:helpdesk',
  'read:tickets': 'see:helpdesk',
  'write:tickets': 'answer:helpdesk',
  'write:webhooks': 'manage:helpdesk',
  'manage:workspace': 'manage:helpdesk',
  'read:conversations': 'see:helpdesk',
  'write:conversations': 'answer:helpdesk',
  'read:messages': 'see:helpdesk',
  'write:messages': 'answer:helpdesk',
  'read:runs': 'see:helpdesk',
} as const satisfies Readonly<Record<string, HelpdeskRight>>;

export type HelpdeskScope = keyof typeof RIGHT_OF;
export const HELPDESK_SCOPES = Object.keys(RIGHT_OF) as readonly HelpdeskScope[];

export const isHelpdeskScope = (scope: string): scope is HelpdeskScope =>
  (HELPDESK_SCOPES as readonly string[]).includes(scope);

const scopesOf = (rights: readonly Right[]): readonly HelpdeskScope[] =>
  HELPDESK_SCOPES.filter((scope) => rights.includes(RIGHT_OF[scope]));

export const HELPDESK_ACCESS: ProductAccess = {
  product: 'hdk',
  opensOf: (scopes) => [
    ...scopes,
    ...HELPDESK_RIGHTS.filter((right) => scopesOf([right]).every((scope) => scopes.includes(scope))),
  ],
  scopesOf,
};
