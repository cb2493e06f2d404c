// Events for tests and examples: complete, plausible, the same every time.
import { hash } from 'node:crypto';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { HashedIdentity, PlaintextIdentity, RawIdentity } from '#lib/events/domain/identity/identity.ts';
import { type OutgoingEvent, toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';

/** 2026-11-20T12:00:00Z, the time of every sample event. */
export const SAMPLE_TIME_SEC = 1_795_176_000;

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export const SAMPLE_HASHED: Required<HashedIdentity> = {
  emailPlain: sha256('jane.doe+shop@gmail.com'),
  emailGoogle: sha256('janedoe@gmail.com'),
  emailGa4: sha256('janedoe+shop@gmail.com'),
  emailReddit: sha256('janedoe@gmail.com'),
  emailMicrosoft: sha256('janedoe@gmail.com'),
  emailAmazon: sha256('jane.doe+shop@gmail.com'),
  phoneDigits: sha256('16505551212'),
  phoneE164: sha256('+16505551212'),
  firstName: sha256('jane'),
  lastName: sha256('doe'),
  firstNameGoogle: sha256('jane'),
  lastNameGoogle: sha256('doe'),
  firstNameAlnum: sha256('jane'),
  lastNameAlnum: sha256('doe'),
  gender: sha256('f'),
  genderOrN: sha256('f'),
  dateOfBirth: sha256('19900131'),
  city: sha256('menlopark'),
  state: sha256('ca'),
  cityAlnum: sha256('menlopark'),
  stateAlnum: sha256('ca'),
  postalCode: sha256('94025'),
  country: sha256('us'),
  externalIds: [sha256('cust-42'), sha256('loyalty-7')],
  externalIdsCased: [sha256('Cust-42'), sha256('Loyalty-7')],
  madid: sha256('6d92078a-8246-4ba4-ae5b-76104861e7dc'),
};

export const SAMPLE_RAW: RawIdentity = {
  clientIp: '203.0.113.7',
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  browserIds: {
    fbp: 'fb.1.1795000000000.1098115397',
    fbc: 'fb.1.1795000000000.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk',
    ttclid: 'E.C.P.CrAB8Zgk',
    ttp: '2F7h37YkS1j57AYSKTI7IHhJPYH',
    irclickid: 'QiiWXOVnrQ3SQHl24jQjyxBGUkmzfJ3i1VHrWM0',
    ga_client_id: '1098115397.1795000000',
    ga_session_id: '1795175000',
  },
};

export const SAMPLE_PLAINTEXT: PlaintextIdentity = {
  email: 'jane.doe+shop@gmail.com',
  phone: '+16505551212',
  firstName: 'Jane',
  lastName: 'Doe',
  city: 'Menlo Park',
  region: 'CA',
  postalCode: '94025',
  country: 'US',
  externalId: 'Cust-42',
};

const PURCHASE: NormalizedEvent = {
  merchantId: '0192f7a0-0000-7000-8000-000000000001',
  channel: 'server',
  eventId: 'order-1001',
  dedupId: 'order-1001',
  name: 'Purchase',
  eventTimeSec: SAMPLE_TIME_SEC,
  receivedAtMs: SAMPLE_TIME_SEC * 1_000 + 250,
  source: 'server',
  actionSource: 'website',
  eventSourceUrl: 'https://shop.example/thank-you?order=1001',
  referrerUrl: 'https://shop.example/checkout',
  value: '59.98',
  currency: 'USD',
  orderId: '1001',
  items: [
    { id: 'SKU-1', quantity: '2', price: '24.99' },
    { id: 'SKU-2', quantity: '1', price: '10' },
  ],
  consent: {},
  hashed: SAMPLE_HASHED,
  raw: SAMPLE_RAW,
  plaintext: SAMPLE_PLAINTEXT,
  issues: [],
};

/** A purchase with everything known about the person; override what the test is about. */
export function sampleEvent(overrides: Partial<NormalizedEvent> = {}): OutgoingEvent {
  return toOutgoing({ ...PURCHASE, ...overrides });
}

/** A page view of a stranger: only what a browser tells by itself. */
export function strangersPageView(overrides: Partial<NormalizedEvent> = {}): OutgoingEvent {
  const { value: _value, currency: _currency, orderId: _orderId, ...rest } = PURCHASE;
  return toOutgoing({
    ...rest,
    channel: 'browser',
    eventId: 'pv-1',
    dedupId: 'pv-1',
    name: 'PageView',
    source: 'browser',
    items: [],
    hashed: {},
    raw: {
      clientIp: '203.0.113.7',
      userAgent: SAMPLE_RAW.userAgent ?? '',
      browserIds: { fbp: 'fb.1.1795000000000.1098115397' },
    },
    plaintext: {},
    ...overrides,
  });
}
