// Goal: a transform changes what it says, for whom it says, and nothing else; without an effect it leaves no trace.
import { describe, expect, it } from 'vitest';
import { normalizedEvent, sha256 } from '#test/contract/stored-rows.ts';
import { sampleRule } from '#test/support/sample-rule.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { IDENTITY_TRACES } from '../../domain/rules/fields.ts';
import type { RuleChange } from '../../domain/rules/rule.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { decideRouting } from '../verdicts.ts';
import { rewritingRules, seenBy } from './rewrite.ts';

const event = normalizedEvent({
  eventId: 'e',
  event: {
    orderId: 'o-1',
    items: [{ id: 'a', quantity: '1', price: '10' }],
    customData: { margin: 4, deep: { a: 1, b: [1] } },
    eventSourceUrl: 'https://shop.example/a',
  },
});

const transform = (id: string, changes: readonly RuleChange[], platforms: readonly string[] = []) =>
  sampleRule({ id, action: { type: 'transform', changes: [...changes] }, platforms });

function decide(rules: readonly unknown[], connected = ['meta', 'tiktok'], of: NormalizedEvent = event) {
  const connections = connected.map((platform) => ({ id: platform, platform }));
  return decideRouting(of, { merchantId: 'm', version: 1, connections, rules }, PLATFORMS);
}

/** What Meta sees. */
function changed(...changes: readonly RuleChange[]): NormalizedEvent {
  const { rewrites: _, ...seen } = seenBy('meta', { ...event, ...decide([transform('r', changes)]) });
  const { verdicts: _v, ...rest } = seen as NormalizedEvent & { verdicts: unknown };
  return rest;
}

describe('a change', () => {
  it('renames as if the event had come with that name', () => {
    expect(changed({ op: 'rename_event', name: 'begin_checkout' })).toEqual({
      ...event,
      name: 'InitiateCheckout',
      sentName: 'begin_checkout',
    });
    expect(changed({ op: 'rename_event', name: 'Big Order' })).toEqual({
      ...event,
      name: 'Custom',
      customName: 'Big Order',
    });
  });

  it('overrides the value with the digits of its currency, and drops prices of another one', () => {
    const same = changed({ op: 'override_value', value: 12.345, currency: 'EUR' });
    expect(same).toEqual({ ...event, value: '12.35' });
    const other = changed({ op: 'override_value', value: 1_200.5, currency: 'JPY' });
    expect(other).toEqual({ ...event, value: '1201', currency: 'JPY', items: [{ id: 'a', quantity: '1' }] });
  });

  it('scales the value, and prices with it', () => {
    const worth = { op: 'override_value', value: 59.98, currency: 'EUR' } as const;
    const item = { id: 'a', quantity: '1', price: '3' };
    expect(changed(worth, { op: 'scale_value', factor: 0.3 })).toEqual({
      ...event,
      value: '17.99',
      items: [item],
    });
    expect(changed(worth, { op: 'scale_value', factor: 1 })).toEqual({ ...event, value: '59.98' });
    const bare = changed({ op: 'drop_field', field: 'value' }, { op: 'scale_value', factor: 0.3 });
    expect([bare.value, bare.items]).toEqual([undefined, [item]]);
  });

  it('sets and drops custom data by its path, and makes no way through what is no object', () => {
    const set = (field: string, value: string | number) =>
      changed({ op: 'set_field', field, value } as RuleChange).customData;
    expect(set('custom_data.deep.c.d', 'x')).toEqual({ margin: 4, deep: { a: 1, b: [1], c: { d: 'x' } } });
    expect(set('custom_data.margin.x', 'x')).toEqual(event.customData);
    expect(set('custom_data.deep.b.0', 'x')).toEqual(event.customData);
    expect(changed({ op: 'drop_field', field: 'custom_data.deep.a' }).customData).toEqual({
      margin: 4,
      deep: { b: [1] },
    });
    // The original is never written to.
    expect(event.customData).toEqual({ margin: 4, deep: { a: 1, b: [1] } });
  });

  it('drops fields of the event', () => {
    const { value: _, ...noValue } = event;
    expect(changed({ op: 'drop_field', field: 'value' })).toEqual(noValue);
    const { orderId: _o, ...noOrder } = event;
    expect(changed({ op: 'drop_field', field: 'order_id' })).toEqual(noOrder);
    expect(changed({ op: 'drop_field', field: 'items' })).toEqual({ ...event, items: [] });
  });

  it('drops every trace of a field of a person: between them they cover all there is', () => {
    const traces = Object.values(IDENTITY_TRACES) as readonly {
      readonly [part in 'hashed' | 'raw' | 'plaintext']?: readonly string[];
    }[];
    const covered = (part: 'hashed' | 'raw' | 'plaintext') => traces.flatMap((trace) => trace[part] ?? []);
    for (const part of ['hashed', 'raw', 'plaintext'] as const)
      expect(new Set(covered(part)).size).toBe(covered(part).length);
    // The numbers of keys of each part, which a new key moves.
    expect([covered('hashed').length, covered('raw').length, covered('plaintext').length]).toEqual([
      26, 9, 9,
    ]);
    const person = {
      ...event,
      hashed: { emailPlain: sha256('a'), emailReddit: sha256('b'), country: sha256('de') },
      plaintext: { email: 'a@b.c' },
      rewrites: [{ rule: 'r', changes: [{ op: 'drop_field', field: 'user_data.email' }] }],
    } satisfies NormalizedEvent;
    const seen = seenBy('meta', person);
    expect([seen.hashed, seen.plaintext, seen.raw]).toEqual([{ country: sha256('de') }, {}, event.raw]);
  });
});

describe('what is kept', () => {
  const drop: RuleChange = { op: 'drop_field', field: 'order_id' };
  const absent: RuleChange = { op: 'drop_field', field: 'user_data.phone' };

  it('is nothing where nothing changed, and of changes those that made a difference', () => {
    expect(decide([transform('r', [absent])]).rewrites).toEqual([]);
    expect(decide([transform('r', [drop], ['pinterest'])]).rewrites).toEqual([]);
    expect(decide([transform('r', [absent, drop])]).rewrites).toEqual([{ rule: 'r', changes: [drop] }]);
  });

  it('names the platforms where it is not for all of them', () => {
    const { rewrites } = decide([transform('a', [drop], ['meta', 'pinterest'])]);
    expect(rewrites).toEqual([{ rule: 'a', changes: [drop], platforms: ['meta'] }]);
    expect([rewritingRules('meta', rewrites), rewritingRules('tiktok', rewrites)]).toEqual([['a'], []]);
  });

  const routing = {
    merchantId: event.merchantId,
    version: 1,
    connections: [
      { id: 'con_1', platform: 'meta' },
      { id: 'con_2', platform: 'meta', slot: 'meta#2' },
      { id: 'con_3', platform: 'tiktok' },
    ],
  };
  const under = (rule: unknown) => decideRouting(event, { ...routing, rules: [rule] }, PLATFORMS);

  it.each([
    ['con_1', 'meta', 'meta#2', 'meta#1'],
    ['con_2', 'meta#2', 'meta', 'meta#2'],
  ])('follows one connection of two, %s, by its id', (id, mine, other, named) => {
    const { rewrites } = under(transform('a', [drop], [id]));
    expect(rewrites).toEqual([{ rule: 'a', changes: [drop], platforms: [named] }]);
    expect(seenBy(mine, { ...event, rewrites }).orderId).toBeUndefined();
    for (const place of [other, 'tiktok']) expect(seenBy(place, { ...event, rewrites }).orderId).toBe('o-1');
    const out = under(sampleRule({ id: 'out', platforms: [id] })).verdicts;
    expect([out[mine]?.code, out[other]?.code]).toEqual(['rule_excluded', 'pending']);
  });

  it('is about none where the connection it names is gone, or is only called like a place', () => {
    for (const name of ['con_9', 'meta#3'])
      expect(under(sampleRule({ id: 'out', platforms: [name] })).verdicts).toMatchObject({
        meta: { code: 'pending' },
        'meta#2': { code: 'pending' },
      });
  });

  it('names a platform once, however many places it has', () => {
    const { rewrites, verdicts } = under(transform('a', [drop], ['meta']));
    expect([verdicts.meta?.code, verdicts['meta#2']?.code]).toEqual(['pending', 'pending']);
    expect(rewrites).toEqual([{ rule: 'a', changes: [drop], platforms: ['meta'] }]);
    expect(under(transform('a', [drop])).rewrites).toEqual([{ rule: 'a', changes: [drop] }]);
    const none = under(sampleRule({ id: 'out', platforms: ['meta'] })).verdicts;
    expect([none.meta, none['meta#2']]).toEqual(Array(2).fill({ code: 'rule_excluded', detail: 'out' }));
    expect(none.tiktok?.code).toBe('pending');
  });

  it('names no rule where another one had done the same before', () => {
    const before = { ...transform('a', [drop], ['tiktok']), priority: 1 };
    const { rewrites } = decide([before, transform('b', [drop])]);
    expect([rewritingRules('meta', rewrites), rewritingRules('tiktok', rewrites)]).toEqual([['b'], ['a']]);
  });

  it('is applied in the order of priority, all of it', () => {
    const first = { ...transform('z', [{ op: 'rename_event', name: 'Lead' }]), priority: 1 };
    const second = { ...transform('a', [{ op: 'rename_event', name: 'Refund' }]), priority: 2 };
    const { rewrites } = decide([second, first]);
    expect(rewrites.map(({ rule }) => rule)).toEqual(['z', 'a']);
    expect(seenBy('meta', { ...event, rewrites }).name).toBe('Refund');
  });

  it('does not follow a platform that a rule keeps the event from', () => {
    const out = sampleRule({ id: 'out', platforms: ['meta'] });
    const { rewrites, verdicts } = decide([out, transform('r', [drop])]);
    expect(verdicts.meta).toEqual({ code: 'rule_excluded', detail: 'out' });
    expect(rewritingRules('tiktok', rewrites)).toEqual(['r']);
  });

  it('decides over what is sent: an event without what a platform requires is not sent', () => {
    const gone = (['email', 'client_ip', 'user_agent'] as const).map(
      (field): RuleChange => ({ op: 'drop_field', field: `user_data.${field}` }),
    );
    const { verdicts, rewrites } = decide([transform('r', gone, ['meta'])]);
    expect([verdicts.meta?.code, verdicts.tiktok?.code]).toEqual(['invalid', 'pending']);
    expect(rewritingRules('meta', rewrites)).toEqual(['r']);
  });

  it('fails loudly where a later release kept a change that this one does not know', () => {
    const rewrites = [{ rule: 'r', changes: [{ op: 'translate' } as unknown as RuleChange] }];
    expect(() => seenBy('meta', { ...event, rewrites })).toThrow('does not know');
    expect(() =>
      seenBy('tiktok', { ...event, rewrites: [{ ...rewrites[0], platforms: ['meta'] } as never] }),
    ).not.toThrow();
  });
});
