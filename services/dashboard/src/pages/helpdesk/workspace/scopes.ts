// What a key of the helpdesk may do, in words.
import type { HelpdeskInput } from '#dashboard/app/api.tsx';

export type KeyBody = HelpdeskInput<'createHelpdeskKey'>['body'];
export type Scope = KeyBody['scopes'][number];

/** The type says that none is missing. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  'read:tickets': 'read tickets',
  'write:tickets': 'make and change tickets',
  'read:conversations': 'read the queue',
  'write:conversations': 'change the queue',
  'read:messages': 'read messages',
  'write:messages': 'write messages',
  'read:contacts': 'read contacts',
  'write:contacts': 'make and change contacts',
  'read:knowledge': 'read articles',
  'write:knowledge': 'write articles',
  'read:runs': 'read drafts by AI',
  'write:webhooks': 'manage webhooks',
  'manage:workspace': 'manage the workspace',
};

export const wordsOf = (scopes: readonly Scope[]): string =>
  scopes.length === Object.keys(SCOPES).length ? 'everything' : scopes.join(', ');
