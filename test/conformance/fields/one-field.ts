// Pairs of events that differ in one field: with the field and without it, or with another value where it is required.
const UUID = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
const USER_AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0 Mobile',
];

/** Everything may be known of the person; the one field under test is put over it. */
const PERSON = {
  email: 'jane@example.com',
  phone: '+16505551212',
  first_name: 'Jane',
  last_name: 'Doe',
  city: 'Menlo Park',
  state: 'CA',
  country: 'US',
  customer_id: 'Cust-42',
  client_ip: '203.0.113.7',
};

type Path = readonly string[];

/** Values for leaves that platforms look at the form of; any other leaf gets a text. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  event_time: [1_795_176_000, 1_795_175_000],
  event_name: ['Purchase', 'Lead'],
  value: [59.98, 60],
  currency: ['USD', 'EUR'],
  event_source_url: ['https://shop.example/a', 'https://shop.example/b'],
  referrer_url: ['https://shop.example/a', 'https://shop.example/b'],
  action_source: ['website', 'physical_store'],
  merchant_id: [undefined, '11111111-1111-4111-8111-111111111111'],
  source: ['pos', 'shop'],
  custom_data: [{ content_name: 'a' }, { content_name: 'b' }],
  'items.quantity': [1, 2],
  'items.price': [1, 2],
  'user_data.gender': ['f', 'm'],
  'user_data.date_of_birth': ['1990-01-31', '1991-01-31'],
  'user_data.email': ['jane@example.com', 'john@example.com'],
  'user_data.phone': ['+16505551212', '+16505551213'],
  'user_data.state': ['CA', 'NY'],
  'user_data.zip': ['94025', '94026'],
  'user_data.postal_code': ['94025', '94026'],
  'user_data.country': ['US', 'CA'],
  'user_data.external_ids': [['a'], ['b']],
  'user_data.client_ip': ['203.0.113.7', '203.0.113.8'],
  'user_data.ip': ['203.0.113.7', '203.0.113.8'],
  'user_data.madid': [UUID, UUID.replace('6', '7')],
  'user_data.fb_login_id': ['1', '2'],
  'user_data.lead_id': ['1', '2'],
  'user_data.browser_ids.fbp': ['fb.1.1795000000000.1', 'fb.1.1795000000000.2'],
  'user_data.browser_ids.fbc': ['fb.1.1795000000000.one', 'fb.1.1795000000000.other'],
  'user_data.browser_ids.ga_session_id': ['1795175000', '1795176000'],
  'user_data.browser_ids.msclkid': [UUID, UUID.replace('6', '7')],
  'user_data.browser_ids.rdt_uuid': [`1.${UUID}`, `2.${UUID}`],
  'consent.ad_user_data': ['granted', 'denied'],
  'consent.ad_personalization': ['granted', 'denied'],
  'consent.ad_storage': ['granted', 'denied'],
  'consent.analytics': ['granted', 'denied'],
  'consent.analytics_storage': ['granted', 'denied'],
  'consent.functionality_storage': ['granted', 'denied'],
  'consent.personalization_storage': ['granted', 'denied'],
  'consent.security_storage': ['granted', 'denied'],
};

const EXTINFO = ['a2', ...Array.from({ length: 15 }, (_, i) => `extinfo ${i}`)];
/** As complete as platforms want an event of an app to be; the one field under test is put over it. */
const APP = {
  platform: 'android',
  id: 'com.example.shop',
  os_version: '16',
  tracking: 'authorized',
  instance_id: '1',
};
const APP_VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  'app.platform': ['android', 'ios'],
  'app.tracking': ['authorized', 'denied'],
  'app.locale': ['en_US', 'de_DE'],
  'app.screen_width': [320, 321],
  'app.screen_height': [568, 569],
  'app.screen_density': [2, 2.5],
  'app.extinfo': [EXTINFO, EXTINFO.with(14, '8')],
};

/** Pairs that differ in this leaf alone, on two kinds of device. */
export function pairsOf(leaf: string): readonly (readonly [string, string])[] {
  const [one, other] = VALUES[leaf] ?? APP_VALUES[leaf] ?? ['one', 'other'];
  return USER_AGENTS.map((userAgent) => [
    JSON.stringify(put(order(userAgent, leaf), leaf.split('.'), one)),
    JSON.stringify(put(order(userAgent, leaf), leaf.split('.'), other)),
  ]);
}

function order(user_agent: string, leaf: string): Record<string, unknown> {
  // Of two names of one field the first is read: it must be out of the way.
  const { client_ip, customer_id, ...person } = PERSON;
  return {
    event_id: 'field-1',
    event_name: 'Purchase',
    event_time: 1_795_176_000,
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    items: [{ id: 'SKU-1', quantity: 2, price: 29.99 }],
    event_source_url: 'https://shop.example/thank-you',
    user_data: {
      ...person,
      ...(leaf === 'user_data.ip' ? {} : { client_ip }),
      ...(leaf === 'user_data.external_ids' ? {} : { customer_id }),
      user_agent,
    },
    consent: {},
    ...(leaf.startsWith('app.') ? { action_source: 'app', app: APP } : {}),
  };
}

function put(
  event: Record<string, unknown>,
  [key = '', ...rest]: Path,
  value: unknown,
): Record<string, unknown> {
  if (rest.length === 0) return { ...event, [key]: value };
  const part = event[key] ?? {};
  const changed = Array.isArray(part)
    ? part.map((item) => put(item, rest, value))
    : put(part as Record<string, unknown>, rest, value);
  return { ...event, [key]: changed };
}
