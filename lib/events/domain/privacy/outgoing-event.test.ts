// The event as it may leave: every surface, and nothing where there is nothing.
import { hash } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../event/normalized-event.ts';
import { type OutgoingEvent, privacyIssues, toOutgoing } from './outgoing-event.ts';

const sha256 = (text: string): string => hash('sha256', text);
const MAIL = 'jane@mail.example';
const raw = (more: Partial<NormalizedEvent>): NormalizedEvent => ({ ...sampleEvent(), ...more });

describe('an outgoing event', () => {
  it('is made by the look alone', () => {
    expectTypeOf<NormalizedEvent>().not.toExtend<OutgoingEvent>();
    expectTypeOf<OutgoingEvent>().toExtend<NormalizedEvent>();
  });

  it('is the very same where nothing is found', () => {
    const event = raw({
      customData: { coupon: 'SUMMER24', deep: [{ a: [1, null, true] }], session_id: 1795175000 },
    });
    expect(toOutgoing(event)).toBe(event);
    expect(privacyIssues(event)).toEqual([]);
  });

  it('has none of it on any surface, and an issue for each surface and kind', () => {
    const event = raw({
      eventSourceUrl: `https://shop.example/a?email=${MAIL}&token=8f3a9c21d0`,
      referrerUrl: `https://shop.example/${MAIL}`,
      items: [{ id: 'SKU-1', quantity: '1', name: `For ${MAIL}`, brand: 'Acme' }],
      customData: {
        search_string: MAIL,
        page_title: `Order of ${MAIL}`,
        [MAIL]: 1,
        phone: 4915112345678,
        note: { last_name: 'Doe', list: [MAIL, 'red'] },
        page_location: `https://shop.example/?q=${MAIL}&x=1`,
        card: { number: '4111111111111111' },
        coupon: 'SUMMER24',
      },
    });
    const outgoing = toOutgoing(event);
    expect(outgoing).toEqual({
      ...event,
      eventSourceUrl: 'https://shop.example/a',
      referrerUrl: 'https://shop.example/%5Bremoved%5D',
      items: [{ id: 'SKU-1', quantity: '1', name: '[removed]', brand: 'Acme' }],
      customData: {
        search_string: '[removed]',
        page_title: '[removed]',
        note: { last_name: '[removed]', list: ['[removed]', 'red'] },
        page_location: 'https://shop.example/?x=1',
        card: { number: '[removed]' },
        coupon: 'SUMMER24',
      },
    });
    expect(privacyIssues(event).map(({ field, code }) => `${field}:${code}`)).toEqual([
      'event_source_url:email_removed',
      'event_source_url:secret_removed',
      'referrer_url:email_removed',
      'items:email_removed',
      'custom_data.search_string:email_removed',
      'custom_data.page_title:email_removed',
      'custom_data:email_removed',
      'custom_data:phone_removed',
      'custom_data:person_removed',
      'custom_data:card_removed',
    ]);
    expect(toOutgoing(outgoing)).toBe(outgoing);
    expect(privacyIssues(outgoing)).toEqual([]);
  });

  it('has no digest of its own e-mail address or phone in an address, in any case', () => {
    const mail = sha256(MAIL);
    const phone = sha256('+4915112345678');
    const other = sha256('else@mail.example');
    const event = raw({
      hashed: { emailGoogle: mail, phoneE164: phone },
      eventSourceUrl: `https://shop.example/a?e=${mail}&x=${other}&utm_content=${mail.toUpperCase()}`,
      referrerUrl: `https://shop.example/${phone}#id=${phone}`,
      customData: { page_location: `https://shop.example/?e=${mail}`, basket: other },
    });
    const outgoing = toOutgoing(event);
    expect(outgoing).toEqual({
      ...event,
      eventSourceUrl: `https://shop.example/a?x=${other}`,
      referrerUrl: 'https://shop.example/%5Bremoved%5D',
      customData: { page_location: 'https://shop.example/', basket: other },
    });
    expect(toOutgoing(outgoing)).toBe(outgoing);
    expect(privacyIssues(event)).toEqual([
      { field: 'event_source_url', code: 'email_removed' },
      { field: 'referrer_url', code: 'phone_removed' },
      { field: 'custom_data', code: 'email_removed' },
    ]);
    const kept = {
      ...event,
      customData: {},
      referrerUrl: '',
      eventSourceUrl: `https://shop.example/a?e=${mail}`,
    };
    expect(privacyIssues(kept, ['e'])).toEqual([{ field: 'e', code: 'personal_data_allowed' }]);
  });

  it('lets through what was allowed when the event was normalized', () => {
    const found = raw({
      eventSourceUrl: `https://shop.example/a?contact=${MAIL}`,
      customData: { contact: MAIL },
    });
    const issues = privacyIssues(found, ['contact', 'unused']);
    expect(issues).toEqual([{ field: 'contact', code: 'personal_data_allowed' }]);
    const event = { ...found, issues };
    expect(toOutgoing(event)).toBe(event);
  });
});
