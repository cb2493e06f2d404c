// LinkedIn through Segment's "Stream Conversion Event". They send one event, we a batch of one: the event is compared.

import { linkedinCredentials } from '../../../lib/events/platforms/linkedin/credentials.ts';
import linkedin from '../../../lib/events/platforms/linkedin/index.ts';
import { LINKEDIN_ALLOWANCES, LINKEDIN_IDENTIFIERS } from '../allow-lists/linkedin.ts';
import type { Comparison, Side } from '../comparison.ts';
import { type Fields, flatten } from '../fields.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction, single } from '../segment-action.ts';

const RULE = '104';

const run = segmentAction({
  destination: 'linkedin-conversions',
  action: 'streamConversion',
  settings: {},
  mapping: ({ body }) => {
    const { first_name: firstName, last_name: lastName, country, customer_id, external_ids } = body.user_data;
    return {
      onMappingSave: { outputs: { id: RULE } },
      // Without both names Segment takes no userInfo, and without both parts no value.
      ...(firstName && lastName ? { userInfo: present({ firstName, lastName, countryCode: country }) } : {}),
      ...(body.value === undefined
        ? { conversionValue: undefined }
        : { conversionValue: { currencyCode: body.currency, amount: `${body.value}` } }),
      linkedInUUID: { '@path': '$.properties.li_fat_id' },
      externalIds: [customer_id, ...(external_ids ?? [])].filter(Boolean),
    };
  },
});

const CREDENTIALS = linkedinCredentials.parse({
  access_token: 'access-token-of-the-test',
  event_ids: { Purchase: RULE },
});

/** The event, its identifiers by kind instead of position. */
function fieldsOf(event: unknown): Fields {
  const { user, ...rest } = event as {
    readonly user: { readonly userIds: readonly { idType: string; idValue: string }[] };
  };
  const { userIds, ...person } = user;
  return {
    ...flatten({ ...rest, user: person }),
    ...Object.fromEntries(userIds.map(({ idType, idValue }) => [`user.userIds.${idType}`, idValue])),
  };
}

function side(built: Built): Side {
  if ('refused' in built) return built;
  const body = built.body as { readonly elements?: readonly unknown[] };
  return { fields: fieldsOf(body.elements?.[0] ?? body) };
}

export const linkedinComparison: Comparison = {
  platform: 'linkedin',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, linkedin, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: LINKEDIN_ALLOWANCES,
  identifiers: LINKEDIN_IDENTIFIERS,
};
