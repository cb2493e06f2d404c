// Meta's hashed identifiers through Meta's own parameter builder. It makes nothing else of an event.
import { createRequire } from 'node:module';
import { META_IDENTIFIERS, PARAM_BUILDER_ALLOWANCES } from '../allow-lists/meta.ts';
import type { Comparison, Side } from '../comparison.ts';
import { remember } from '../digest-origins.ts';
import type { Fields } from '../fields.ts';
import type { Order } from '../order.ts';
import { peerName } from '../peers.ts';
import { ourMetaEvent } from './meta-request.ts';

const NAME = 'capi-param-builder-nodejs';
const require = createRequire(new URL('../package.json', import.meta.url));
const { ParamBuilder, PII_DATA_TYPE: kind } = require(NAME) as {
  readonly ParamBuilder: new (
    domains: readonly string[],
  ) => { getNormalizedAndHashedPII(value: string, kind: string | undefined): string | null };
  readonly PII_DATA_TYPE: Readonly<Record<string, string>>;
};
/** It hashes by means of its own, so what it hashed is asked of the step before. */
const { getNormalizedPII } = require(`${NAME}/src/piiUtil/PIIUtil.js`) as {
  readonly getNormalizedPII: (value: string, kind: string | undefined) => string | null;
};
const builder = new ParamBuilder(['shop.example']);

/** Without the appendix that says which library made the digest. */
function hashed(value: string | null | undefined, of: string): string | undefined {
  if (!value) return undefined;
  const normal = getNormalizedPII(value, kind[of]);
  if (normal) remember(normal);
  return builder.getNormalizedAndHashedPII(value, kind[of])?.split('.')[0];
}

const HASHED = {
  'user_data.em': ['email', 'EMAIL'],
  'user_data.ph': ['phone', 'PHONE'],
  'user_data.fn': ['first_name', 'FIRST_NAME'],
  'user_data.ln': ['last_name', 'LAST_NAME'],
  'user_data.ge': ['gender', 'GENDER'],
  'user_data.db': ['date_of_birth', 'DATE_OF_BIRTH'],
  'user_data.ct': ['city', 'CITY'],
  'user_data.st': ['state', 'STATE'],
  'user_data.zp': ['zip', 'ZIP_CODE'],
  'user_data.country': ['country', 'COUNTRY'],
} as const;

function theirs({ body }: Order): Fields {
  const who = body.user_data;
  const fields: Record<string, unknown> = {};
  for (const [path, [field, of]] of Object.entries(HASHED)) {
    const digest = hashed(who[field], of);
    if (digest !== undefined) fields[path] = digest;
  }
  const ids = [who.customer_id, ...(who.external_ids ?? [])].flatMap((id) => hashed(id, 'EXTERNAL_ID') ?? []);
  if (ids.length > 0) fields['user_data.external_id'] = ids.length === 1 ? ids[0] : ids;
  return fields;
}

const COMPARED = new Set([...Object.keys(HASHED), 'user_data.external_id']);

function ours(order: Order): Side {
  const side = ourMetaEvent(order);
  if (!('fields' in side)) return side;
  return { fields: Object.fromEntries(Object.entries(side.fields).filter(([path]) => COMPARED.has(path))) };
}

export const paramBuilderMeta: Comparison = {
  platform: 'meta',
  peer: peerName(NAME),
  ours,
  // What we do not send at all cannot be compared.
  theirs: (order) => {
    const side = ourMetaEvent(order);
    return 'fields' in side ? { fields: theirs(order) } : side;
  },
  allowances: PARAM_BUILDER_ALLOWANCES,
  identifiers: META_IDENTIFIERS,
};
