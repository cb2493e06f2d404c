// What a credential of the helpdesk may open: the scopes of an API key, and what people's rights bring along. Guarantees: no scope
// grants another.
import type { ProductAccess } from '#lib/core/tenancy/grant.ts';
import type { Right } from '#lib/core/tenancy/role.ts';

export const HELPDESK_SCOPES = [
  'read:contacts',
  'write:contacts',
  'read:knowledge',
  'write:knowledge',
  'read:tickets',
  'write:tickets',
  'write:webhooks',
  'manage:workspace',
  'read:conversations',
  'write:conversations',
  'read:messages',
  'write:messages',
  'read:runs',
] as const;
export type HelpdeskScope = (typeof HELPDESK_SCOPES)[number];

export const isHelpdeskScope = (scope: string): scope is HelpdeskScope =>
  (HELPDESK_SCOPES as readonly string[]).includes(scope);

const HELPDESK_RIGHTS = ['see:helpdesk', 'answer:helpdesk', 'manage:helpdesk'] as const satisfies Right[];
type HelpdeskRight = (typeof HELPDESK_RIGHTS)[number];

/** What brings each scope along, of people; a key amounts to a right by having all of its scopes. */
const RIGHT_OF: Readonly<Record<HelpdeskScope, HelpdeskRight>> = {
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
};

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
