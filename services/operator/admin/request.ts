// What is asked for: a merchant, its owner and its first keys. Refuses, naming the field, what it may not be.
import * as z from 'zod';
import { line } from '#lib/core/routes/wire.ts';
import { merchantIdOf } from '#lib/core/tenancy/profile.ts';
import { merchantId, personEmail } from './fields.ts';

/** `send`: an API key of events for the shop's server; `admin`: one that may do everything; `helpdesk`: of the helpdesk. */
export const KEY_KINDS = ['send', 'admin', 'helpdesk'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const newMerchant = z
  .strictObject({
    name: line(200).transform((name) => name.normalize('NFC')),
    owner: personEmail,
    /** Of the owner's tokens, where another issuer than the deployment's own user pool signs them. */
    subject: line(255).optional(),
    /** Of the merchant; made from name and owner where it is not given. */
    id: merchantId.optional(),
    keys: z
      .array(z.enum(KEY_KINDS))
      .max(KEY_KINDS.length)
      .transform((kinds) => [...new Set(kinds)]),
    environment: z.enum(['live', 'test']).default('live'),
    /** Makes the keys although there are some. */
    new_keys: z.boolean().default(false),
  })
  // The same name and owner are the same merchant: a command that is repeated makes no second one.
  .transform((asked) => ({ ...asked, id: asked.id ?? merchantIdOf('merchant', asked.name, asked.owner) }));

export type NewMerchant = z.output<typeof newMerchant>;
