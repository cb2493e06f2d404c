import { describe, expect, it } from 'vitest';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { withoutQuotes } from './quoted-values.ts';

/** As it came: what is quoted is masked, whatever was taken out before. */
const EVENT = {
  ...sampleEvent(),
  eventSourceUrl: 'https://shop.example/thanks?email=jane%40example.com&lang=en',
  raw: { ...sampleEvent().raw, anonId: 'Mozilla/5.0 (Old; 10.1.2.3)' },
  customData: { note: 'gift for Zoë', card: 4_111_111, nested: [{ deep: 'under "quotes"' }], status: 'new' },
};
const OTHER = sampleEvent({ raw: { leadId: 'lead-of-another' } });

const said = (message: string): string | undefined => {
  const outcomes: Outcome[] = [{ kind: 'permanent', message }, { kind: 'delivered' }];
  return withoutQuotes(outcomes, [EVENT, OTHER])[0]?.message;
};

describe("a platform's words", () => {
  it.each([
    ['Jane is not a name', '[value] is not a name'],
    ['first_name "JANE" refused', 'first_name "[value]" refused'],
    [
      'ip 203.0.113.7, agent mozilla/5.0 (x11; linux x86_64) applewebkit/537.36 (khtml, like gecko) chrome/140.0 safari/537.36',
      'ip [value], agent [value]',
    ],
    ['custom_data.note: gift for Zoë', 'custom_data.note: [value]'],
    ['custom_data.note: gift%20for%20Zo%C3%AB', 'custom_data.note: [value]'],
    ['{"deep":"under \\"quotes\\""}', '{"deep":"[value]"}'],
    ['agent Mozilla/5.0 (Old; [ip]) refused', 'agent [value] refused'],
    ['card 4111111 was declined', 'card [value] was declined'],
    ['bad url https://shop.example/thanks?email=jane%40example.com&lang=en!', 'bad url [value]!'],
    ['bad query: jane@example.com', 'bad query: [value]'],
    ['zip 94025, Menlo Park', 'zip [value], [value]'],
    ['lead-of-another was refused beside it', '[value] was refused beside it'],
    ['it was refused: Menlo P…', 'it was refused: [value]…'],
  ])('%s', (message, kept) => {
    expect(said(message)).toBe(kept);
  });

  it.each([
    'The janitor must renew the token.',
    'Invalid parameter: event_time is too old (us-east-1)',
    'İstanbul is not a country'.toLowerCase(),
  ])('that quote nothing stay: %s', (message) => {
    expect(said(message)).toBe(message);
  });

  it('and codes are treated alike; what was not said stays absent', () => {
    const outcomes: Outcome[] = [
      { kind: 'permanent', code: 'acme.Doe' },
      { kind: 'retry', retryAfterSec: 3 },
    ];
    expect(withoutQuotes(outcomes, [EVENT])).toEqual([
      { kind: 'permanent', code: 'acme.[value]' },
      { kind: 'retry', retryAfterSec: 3 },
    ]);
    const silent: Outcome[] = [{ kind: 'delivered' }];
    expect(withoutQuotes(silent, [EVENT])).toBe(silent);
  });

  it('about a thousand events, each with words of its own, take no more than a moment', () => {
    const events = Array.from({ length: 1_000 }, (_, i) =>
      sampleEvent({ raw: { leadId: `lead-number-${i}` } }),
    );
    const outcomes = events.map(
      (_, i): Outcome => ({ kind: 'permanent', message: `lead-number-${i} refused` }),
    );
    const start = process.cpuUsage();
    const kept = withoutQuotes(outcomes, events);
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
    expect(new Set(kept.map(({ message }) => message))).toEqual(new Set(['[value] refused']));
  });
});
