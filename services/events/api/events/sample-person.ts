// A person who does not exist, complete: addresses and numbers are the ones reserved for documentation (RFC 2606, RFC 5737,
// the fictional 555-01xx range). What test sends carry, and what a preview tries to find out which fields a platform takes.
import type { UserData } from '#lib/events/domain/identity/draft.ts';
import type { BrowserIdKey } from '#lib/events/domain/identity/identity.ts';

/** All but ids that a platform gave, which nobody can make up, and what another field says as well. */
type SampledField = Exclude<keyof UserData, Unsampled>;
/** An event has one click id of Google's. */
type SampledId = Exclude<BrowserIdKey, 'gbraid' | 'wbraid'>;
type Unsampled =
  | 'browser_ids'
  | 'postal_code'
  | 'ip'
  | 'external_ids'
  | 'madid'
  | 'fb_login_id'
  | 'subscription_id'
  | 'lead_id'
  | 'anon_id'
  | 'ctwa_clid';

/** Wire names, in the order in which they help most. */
export const PERSON = {
  email: 'millrace.test@example.com',
  phone: '+12025550143',
  customer_id: 'millrace-test',
  first_name: 'Millrace',
  last_name: 'Test',
  city: 'Washington',
  state: 'DC',
  zip: '20500',
  country: 'US',
  gender: 'f',
  date_of_birth: '19900131',
  client_ip: '203.0.113.7',
  user_agent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
} as const satisfies UserData & Readonly<Record<SampledField, string>>;

export const BROWSER_IDS = {
  fbp: 'fb.1.1795000000000.1098115397',
  fbc: 'fb.1.1795000000000.millracetest',
  gclid: 'millrace_test_gclid',
  ttclid: 'E.C.P.millracetest',
  ttp: 'millracetest0000000000000000',
  sc_click_id: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
  sc_cookie1: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
  epik: 'dj0yJnU9millracetest',
  li_fat_id: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
  rdt_cid: 'millrace_test_rdt_cid',
  rdt_uuid: '1795000000000.6d92078a-8246-4ba4-ae5b-76104861e7dc',
  twclid: '2millracetest00000000000',
  msclkid: '6d92078a82464ba4ae5b76104861e7dc',
  kx: 'millrace_test_kx',
  oppref: 'millrace_test_oppref',
  tblci: 'millrace_test_tblci',
  ob_click_id: 'millrace_test_ob_click_id',
  awc: '1001_1795000000_millracetest',
  irclickid: 'millrace_test_irclickid',
  crto_mapped_user_id: 'millrace_test_crto',
  ga_client_id: '1098115397.1795000000',
  ga_session_id: '1795175000',
} as const satisfies Readonly<Record<SampledId, string>>;
