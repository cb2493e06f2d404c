// Goal: which platform gets an event, and changed how, is what a reader of the rules would say. Method: random rules and
// events against a model that is written as the documentation reads, one rule after the other, without sets or caches.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizedEvent, sha256 } from '#test/contract/stored-rows.ts';
import { sampleRule } from '#test/support/sample-rule.ts';
import type { RoutingSnapshot } from '../../domain/connections/connection.ts';
import { canonicalEventName, namesAsSent } from '../../domain/event/names.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Rule, RuleAction, RuleMatch } from '../../domain/rules/rule.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { decideRouting } from '../verdicts.ts';
import { seenBy } from './rewrite.ts';
import { rulesMet, skippedRules } from './rule-set.ts';

const SLUGS = ['meta', 'tiktok', 'klaviyo'];
const CHOSEN = PLATFORMS.filter(({ slug }) => SLUGS.includes(slug));
const NOW = Date.UTC(2026, 10, 21, 12);

function eventOf(draft: Partial<NormalizedEvent> = {}): NormalizedEvent {
  const { value: _, currency: _currency, ...unpriced } = normalizedEvent({ eventId: 'e', receivedAtMs: NOW });
  const hashed = { emailPlain: sha256('jane@example.com'), country: sha256('de') };
  return { ...unpriced, source: 'shop', hashed, plaintext: { email: 'jane@example.com' }, ...draft };
}

const routingOf = (rules: readonly unknown[], connected: readonly string[] = SLUGS): RoutingSnapshot => ({
  merchantId: 'm',
  version: 1,
  connections: connected.map((platform) => ({ id: platform, platform })),
  rules,
});

describe('the model', () => {
  const names = ['Purchase', 'checkout_completed', 'Lead', 'quiz done', 'Quiz_Done', 'Custom'];
  const words = fc.constantFrom('a', 'b', 'shoes/run', 'shoes');
  const path = fc.constantFrom('a', 'a.b');
  const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 2 });
  const matchArbitrary: fc.Arbitrary<RuleMatch> = fc
    .record({
      event_name: some(fc.constantFrom(...names)),
      source: some(fc.constantFrom('shop', 'pos')),
      country: some(fc.constantFrom('DE', 'FR')),
      currency: fc.constantFrom('EUR', 'USD'),
      range: fc.tuple(fc.nat(3), fc.nat(3)),
      items: fc.record({ id: some(words), category_prefix: some(words) }, { requiredKeys: ['id'] }),
      consent: fc.record({ analytics: fc.constantFrom('granted', 'denied', 'unknown') }),
      custom_data: some(
        fc.oneof(
          fc.record({ path, exists: fc.boolean() }),
          fc.record({ path, equals: fc.constantFrom(1, 'x', true) }),
          fc.record({ path, any_of: some(fc.constantFrom(1, 'x')) }),
        ),
      ),
    })
    .chain(({ range, ...all }) =>
      fc.subarray(Object.entries(all), { maxLength: 2 }).map((entries) => {
        const match = Object.fromEntries(entries) as RuleMatch;
        return match.currency === undefined || range[0] === range[1]
          ? match
          : { ...match, value_min: Math.min(...range), value_max: Math.max(...range) };
      }),
    );
  const actionArbitrary: fc.Arbitrary<RuleAction> = fc.oneof(
    fc.constant<RuleAction>({ type: 'include' }),
    fc.constant<RuleAction>({ type: 'exclude' }),
    fc.constantFrom(0, 1).map((rate): RuleAction => ({ type: 'sample', rate })),
    fc.nat(2).map((value): RuleAction => {
      const change = { op: 'set_field', field: 'custom_data.z', value } as const;
      return { type: 'transform', changes: [change] };
    }),
  );
  const ruleArbitrary = fc.record({
    enabled: fc.boolean(),
    priority: fc.nat(3),
    match: matchArbitrary,
    action: actionArbitrary,
    platforms: fc.subarray(SLUGS),
  });
  const rulesArbitrary = fc
    .array(ruleArbitrary, { maxLength: 6 })
    .map((drafts): Rule[] => drafts.map((draft, i) => sampleRule({ ...draft, id: `r${(7 * i + 3) % 11}` })));
  const eventArbitrary = fc
    .record({
      sent: fc.constantFrom(...names),
      source: fc.constantFrom('shop', 'pos'),
      money: fc.option(fc.tuple(fc.nat(3), fc.constantFrom('EUR', 'USD')), { nil: undefined }),
      items: fc.array(fc.record({ id: words, category: words }), { maxLength: 2 }),
      country: fc.constantFrom('de', 'fr', undefined),
      analytics: fc.constantFrom('granted' as const, 'denied' as const, undefined),
      customData: fc.constantFrom(undefined, {}, { a: 1 }, { a: 'x' }, { a: { b: 1 } }, { a: { b: true } }),
    })
    .map((e) =>
      eventOf({
        ...namesAsSent(e.sent),
        source: e.source,
        ...(e.money === undefined ? {} : { value: String(e.money[0]), currency: e.money[1] }),
        items: e.items.map((item) => ({ ...item, quantity: '1' })),
        hashed: e.country === undefined ? {} : { country: sha256(e.country) },
        consent: e.analytics === undefined ? {} : { analytics: e.analytics },
        ...(e.customData === undefined ? {} : { customData: e.customData }),
      }),
    );

  function isMatch(match: RuleMatch, event: NormalizedEvent): boolean {
    const sent = event.customName ?? event.name;
    const plain = (name: string) => name.toLowerCase().replaceAll(/[ _-]/g, '');
    if (
      match.event_name?.every((name) => {
        if (plain(name) === 'custom') return event.name !== 'Custom';
        const canonical = canonicalEventName(name);
        return canonical === 'Custom' ? plain(name) !== plain(sent) : canonical !== event.name;
      })
    )
      return false;
    if (match.source && !match.source.includes(event.source)) return false;
    if (match.country && !match.country.some((code) => sha256(code.toLowerCase()) === event.hashed.country))
      return false;
    if (match.currency && match.currency !== event.currency) return false;
    if (match.value_min !== undefined && !(Number(event.value) >= match.value_min)) return false;
    if (match.value_max !== undefined && !(Number(event.value) <= match.value_max)) return false;
    const { items } = match;
    if (
      items &&
      !event.items.some(
        ({ id, category = '' }) =>
          items.id?.includes(id) !== false &&
          items.category_prefix?.some((prefix) => category.startsWith(prefix)) !== false,
      )
    )
      return false;
    if (match.consent && (event.consent.analytics ?? 'unknown') !== (match.consent.analytics ?? 'unknown'))
      return false;
    return (match.custom_data ?? []).every(({ path, equals, any_of, exists }) => {
      let at: unknown = event.customData;
      for (const name of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[name];
      if (exists !== undefined) return (at !== undefined) === exists;
      return (any_of ?? [equals]).includes(at as string);
    });
  }

  it('decides what the rules say, for every platform', () => {
    let excluded = 0;
    let changed = 0;
    fc.assert(
      fc.property(rulesArbitrary, eventArbitrary, (rules, event) => {
        const { verdicts, rewrites } = decideRouting(event, routingOf(rules), CHOSEN);
        const inOrder = [...rules]
          .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
          .filter((rule) => rule.enabled && isMatch(rule.match, event));
        for (const slug of SLUGS) {
          const about = inOrder.filter(({ platforms }) => platforms.length === 0 || platforms.includes(slug));
          const first = about.find(({ action }) => action.type !== 'transform');
          const isOut =
            first?.action.type === 'exclude' || (first?.action.type === 'sample' && first.action.rate === 0);
          expect(verdicts[slug]?.code === 'rule_excluded').toBe(isOut);
          if (isOut) {
            excluded++;
            expect(verdicts[slug]?.detail).toBe(first?.id);
            continue;
          }
          const last = about.findLast(({ action }) => action.type === 'transform')?.action;
          const z = last?.type === 'transform' ? (last.changes[0] as { value: number }).value : undefined;
          if (z !== undefined) changed++;
          expect(seenBy(slug, { ...event, rewrites }).customData?.z).toBe(z);
        }
      }),
      { numRuns: 3_000, seed: 9 },
    );
    // The generator says something.
    expect(Math.min(excluded, changed)).toBeGreaterThan(300);
  });
});

describe('a sample', () => {
  const rules = [sampleRule({ action: { type: 'sample', rate: 0.25 } })];

  it('keeps its share, and the same events at every platform and every time', () => {
    let kept = 0;
    for (let i = 0; i < 4_000; i++) {
      const event = eventOf({ eventId: `e${i}`, dedupId: `e${i}` });
      const outcomes = [0, 1].flatMap(() =>
        SLUGS.map((slug) => rulesMet([...rules], event).excludedBy(slug) === undefined),
      );
      expect(new Set(outcomes).size).toBe(1);
      kept += outcomes[0] ? 1 : 0;
    }
    expect(kept / 4_000).toBeCloseTo(0.25, 1);
  });

  it('goes by what platforms deduplicate on, so that a replay fares as its original', () => {
    for (let i = 0; i < 50; i++) {
      const original = eventOf({ eventId: `e${i}`, dedupId: `e${i}` });
      const replay = eventOf({ eventId: `e${i}~rp~x`, dedupId: `e${i}`, replay: true });
      expect(rulesMet(rules, replay).excludedBy('meta')).toBe(rulesMet(rules, original).excludedBy('meta'));
    }
  });
});

describe('a rule that cannot be followed', () => {
  const exclude = sampleRule({ id: 'good', match: { event_name: ['Purchase'] } });
  const PAID = eventOf({ value: '10', currency: 'EUR' });
  const POISON: readonly [string, unknown][] = [
    ['nothing', null],
    ['a text', 'rule'],
    ['of an unknown action', { ...exclude, id: 'bad', action: { type: 'explode' } }],
    ['of an unknown condition, which is not followed in part', { ...exclude, id: 'bad', match: { moon: 1 } }],
    ['with a field of a later format', { ...exclude, id: 'bad', schedule: 'nights' }],
    ['without a match', { ...exclude, id: 'bad', match: undefined }],
    ['with a list that is none', { ...exclude, id: 'bad', platforms: 'meta' }],
  ];

  it.each(POISON)('is skipped and named: %s', (_what, poison) => {
    const stored = [poison, exclude];
    expect(decideRouting(PAID, routingOf([poison]), CHOSEN).verdicts.meta?.code).toBe('pending');
    const { meta } = decideRouting(PAID, routingOf(stored), CHOSEN).verdicts;
    expect(meta).toEqual({ code: 'rule_excluded', detail: 'good' });
    expect(skippedRules(stored)).toHaveLength(1);
  });

  it('is skipped where it throws for an event, and the others are followed', () => {
    const byItem = sampleRule({ id: 'throws', priority: 1, match: { items: { id: ['a'] } } });
    const hostile = Object.defineProperty(eventOf(), 'items', {
      get: () => {
        throw new TypeError('items of jane@example.com');
      },
    });
    const stored = [byItem, exclude];
    expect(rulesMet(stored, hostile).excludedBy('meta')).toBe('good');
    expect(skippedRules(stored)).toEqual([{ id: 'throws', problem: 'TypeError' }]);
  });
});
