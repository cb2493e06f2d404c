// Goal: any rule of the API is unchanged after it was shown in the form and read from it; wrong input reaches the API.
// Method: random rules from the API's own schema.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleActionSchema, ruleMatchSchema } from '#lib/events/domain/rules/rule.ts';
import { changesOf, draftOf, NEW_CHANGE, NEW_RULE, type Rule, ruleOf } from './rule-draft.ts';
import { linesOf, scalarOf, textOf, textOfScalar } from './typed-values.ts';

const rule = (parts: Partial<Rule>): Rule => ({
  ...NEW_RULE,
  id: 'rul_1',
  version: 1,
  name: 'One',
  enabled: true,
  priority: 5,
  platforms: [],
  match: {},
  action: { type: 'exclude' },
  created_at: '2026-11-22T00:00:00.000Z',
  updated_at: '2026-11-22T00:00:00.000Z',
  ...parts,
});

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((one) => one.trim() !== '');
const scalar = fc.oneof(text, fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const texts = fc.array(text, { minLength: 1, maxLength: 4 });

describe('values as they are typed', () => {
  it('are what they were', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        expect(JSON.stringify(scalarOf(textOfScalar(value)))).toBe(JSON.stringify(value));
      }),
    );
    fc.assert(fc.property(texts, (values) => void expect(linesOf(textOf(values))).toEqual(values)));
  });

  it.each([
    ['12', 12],
    ['"12"', '12'],
    ['012', '012'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', true],
    ['"true"', 'true'],
    ['"open', '"open'],
    ['1,5', '1,5'],
  ])('%s is %j', (typed, value) => {
    expect(scalarOf(typed)).toBe(value);
  });
});

describe('a rule in the form', () => {
  it('comes out as it went in', () => {
    const path = fc.constantFrom('a', 'plan.tier', 'über.größe');
    const match = fc.record(
      {
        event_name: texts,
        source: texts,
        country: fc.constant(['DE', 'AT'] as string[]),
        currency: fc.constant('EUR'),
        value_min: fc.nat(100),
        value_max: fc.integer({ min: 100, max: 1e9 }),
        items: fc.record({ id: texts, category_prefix: texts }),
        consent: fc.constant({ ad_storage: 'denied' as const, analytics: 'unknown' as const }),
        custom_data: fc.array(
          fc.oneof(
            fc.record({ path, equals: scalar }),
            fc.record({ path, any_of: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
            fc.record({ path, exists: fc.boolean() }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      },
      { requiredKeys: [] },
    );
    const change = fc.oneof(
      fc.constant({ op: 'rename_event' as const, name: 'Lead' }),
      fc.record({
        op: fc.constant('set_field' as const),
        field: fc.constant('custom_data.a.b'),
        value: scalar,
      }),
      fc.constant({ op: 'drop_field' as const, field: 'user_data.email' }),
      fc.record({
        op: fc.constant('override_value' as const),
        value: fc.nat(),
        currency: fc.constant('USD'),
      }),
      fc.record({ op: fc.constant('scale_value' as const), factor: fc.double({ min: 0.01, max: 900 }) }),
    );
    const action = fc.oneof(
      fc.constantFrom({ type: 'exclude' as const }, { type: 'include' as const }),
      fc.record({ type: fc.constant('sample' as const), rate: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({
        type: fc.constant('transform' as const),
        changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      }),
    );
    const isTaken = (schema: typeof ruleMatchSchema | typeof ruleActionSchema) => (value: unknown) =>
      schema.safeParse(value).success;
    fc.assert(
      fc.property(
        match.filter(isTaken(ruleMatchSchema)),
        action.filter(isTaken(ruleActionSchema)),
        (someMatch, someAction) => {
          const stored = JSON.parse(
            JSON.stringify(rule({ match: someMatch as Rule['match'], action: someAction as Rule['action'] })),
          );
          const draft = draftOf(stored);
          expect(ruleOf(draft)).toEqual({
            name: stored.name,
            enabled: stored.enabled,
            priority: stored.priority,
            platforms: stored.platforms,
            match: stored.match,
            action: stored.action,
          });
          expect(changesOf(stored, draft)).toEqual({});
        },
      ),
    );
  });

  it('sends the parts that were changed, and what is wrong as it was typed', () => {
    const stored = rule({ match: { currency: 'EUR', value_min: 5 } });
    const draft = draftOf(stored);
    expect(changesOf(stored, { ...draft, name: 'Two', priority: 'first' })).toEqual({
      name: 'Two',
      priority: 'first',
    });
    expect(changesOf(stored, { ...draft, priority: '' })).toEqual({ priority: '' });
    expect(changesOf(stored, { ...draft, value_min: '1,50' })).toEqual({
      match: { currency: 'EUR', value_min: '1,50' },
    });
    const scaled = {
      ...draft,
      kind: 'transform' as const,
      changes: [{ ...NEW_CHANGE, op: 'scale_value' as const }],
    };
    expect(changesOf(stored, scaled)).toEqual({
      action: { type: 'transform', changes: [{ op: 'scale_value', factor: undefined }] },
    });
  });
});
