// A routing rule: which events it is about, and what becomes of them. This schema is the only one: what the API takes, what
// the documentation says and what the pipeline believes of a stored rule fold from it.
// Refuses: regular expressions, and conditions without a bound: what a rule costs an event is known when it is made.
import * as z from 'zod';
import { CONSENT_SIGNALS } from '../event/consent.ts';
import { isCurrency } from '../event/decimal.ts';
import { ACTION_SOURCES, EVENT_LIMITS, eventSchema } from '../event/event.ts';
import { DROPPED_FIELDS } from './fields.ts';

export const RULE_LIMITS = {
  /**
   * Rules and connections are one item, which is read once for the events of a merchant in one batch: 50 rules of 2 KiB are
   * 25 read units at most, and leave 300 of 400 KB to the connections.
   */
  rulesMax: 50,
  /** What they change is kept in the event's own row: 20 of 2 KiB fit beside the largest event. */
  transformsMax: 20,
  /** As JSON, without id and times. */
  ruleSizeMaxBytes: 2_048,
  nameMaxChars: 100,
  priorityMax: 1_000_000,
  valuesMax: 50,
  conditionsMax: 10,
  changesMax: 10,
  textMaxChars: 256,
  pathSegmentMaxChars: 64,
} as const;

const text = z
  .string()
  .min(1)
  .max(RULE_LIMITS.textMaxChars)
  .refine((value) => value.isWellFormed(), 'must not contain half a surrogate pair');
const anyOf = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(RULE_LIMITS.valuesMax);
/** What custom data can be compared with, and set to. */
const scalar = z.union([text, z.number(), z.boolean()]);
const currency = z.string().refine(isCurrency, 'must be the code of a currency, such as USD (ISO 4217)');
const amount = z.number().nonnegative().max(1e15);

const PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);

/** Names with dots between; a name that holds a dot itself cannot be reached. */
function isPath(path: string): boolean {
  const names = path.split('.');
  return (
    names.length <= EVENT_LIMITS.customDataMaxDepth &&
    names.every((n) => n !== '' && n.length <= RULE_LIMITS.pathSegmentMaxChars && !PROTOTYPES.has(n))
  );
}
const path = z
  .string()
  .max(EVENT_LIMITS.customDataMaxDepth * (RULE_LIMITS.pathSegmentMaxChars + 1))
  .refine((value) => value.isWellFormed() && isPath(value), 'must be 1 to 5 names with dots between');

const CUSTOM = 'custom_data.';
/** The path inside custom data that a field names; null for other fields. */
export const customPathOf = (field: string): readonly string[] | null =>
  field.startsWith(CUSTOM) ? field.slice(CUSTOM.length).split('.') : null;
const customField = z
  .string()
  .regex(/^custom_data\./, 'must be custom_data.<path>')
  .refine((field) => path.safeParse(field.slice(CUSTOM.length)).success, 'must be custom_data.<path>');

const itemCondition = z
  .strictObject({
    id: anyOf(text).optional(),
    brand: anyOf(text).optional(),
    category: anyOf(text).optional(),
    category_prefix: anyOf(text).optional(),
    variant: anyOf(text).optional(),
  })
  .refine((condition) => Object.keys(condition).length > 0, 'needs at least one condition');

const customCondition = z
  .strictObject({
    path,
    equals: scalar.optional(),
    any_of: anyOf(scalar).optional(),
    exists: z.boolean().optional(),
  })
  .refine(
    ({ equals, any_of, exists }) => [equals, any_of, exists].filter((one) => one !== undefined).length === 1,
    'needs one of equals, any_of and exists',
  );

export const ruleMatchSchema = z
  .strictObject({
    event_name: anyOf(eventSchema.shape.event_name).optional().meta({
      description:
        'Canonical names, aliases of them, or custom names; each means what it would mean in an event.',
    }),
    source: anyOf(z.string().min(1).max(40)).optional(),
    country: anyOf(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166-1)'))
      .optional()
      .meta({ description: 'Of the person, as user_data.country says it.' }),
    currency: currency.optional(),
    value_min: amount.optional(),
    value_max: amount.optional(),
    items: itemCondition.optional().meta({ description: 'There is an item of which all of this is true.' }),
    consent: z
      .strictObject(
        Object.fromEntries(
          CONSENT_SIGNALS.map((s) => [s, z.enum(['granted', 'denied', 'unknown']).optional()]),
        ) as Record<
          (typeof CONSENT_SIGNALS)[number],
          z.ZodOptional<z.ZodEnum<{ granted: 'granted'; denied: 'denied'; unknown: 'unknown' }>>
        >,
      )
      .optional(),
    custom_data: z.array(customCondition).min(1).max(RULE_LIMITS.conditionsMax).optional(),
  })
  .refine(({ value_min, value_max, ...m }) => (value_min ?? value_max) === undefined || m.currency, {
    path: ['currency'],
    message: 'is required with value_min and value_max',
  })
  .refine(({ value_min = 0, value_max = Number.POSITIVE_INFINITY }) => value_min <= value_max, {
    path: ['value_max'],
    message: 'must not be less than value_min',
  })
  .meta({ id: 'RuleMatch', description: 'All that is given must hold; an empty one matches every event.' });

const SET_FIELDS = ['action_source', 'event_source_url', 'referrer_url'] as const;

const setField = z
  .strictObject({
    op: z.literal('set_field'),
    field: z.union([z.enum(SET_FIELDS), customField]).meta({
      description: `${SET_FIELDS.join(', ')} or custom_data.<path>.`,
    }),
    value: scalar,
  })
  .refine(({ field, value }) => field !== 'action_source' || ACTION_SOURCES.some((one) => one === value), {
    path: ['value'],
    message: `must be one of ${ACTION_SOURCES.join(', ')}`,
  })
  .refine(
    ({ field, value }) =>
      !field.endsWith('_url') ||
      customPathOf(field) !== null ||
      (typeof value === 'string' && URL.canParse(value)),
    { path: ['value'], message: 'must be a URL' },
  );

const ruleChangeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('rename_event'), name: eventSchema.shape.event_name }),
  setField,
  z.strictObject({
    op: z.literal('drop_field'),
    field: z.union([z.enum(DROPPED_FIELDS), customField]).meta({
      description: `${DROPPED_FIELDS.join(', ')} or custom_data.<path>.`,
    }),
  }),
  z.strictObject({ op: z.literal('override_value'), value: amount, currency }).meta({
    description: 'In another currency than the event, the prices of its items are left out.',
  }),
  z.strictObject({ op: z.literal('scale_value'), factor: z.number().positive().max(1_000) }).meta({
    description: 'The value, and the prices of items with it, times this: 0.3 for a margin of 30 %.',
  }),
]);

export const ruleActionSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('include') }),
    z.strictObject({ type: z.literal('exclude') }),
    z.strictObject({ type: z.literal('sample'), rate: z.number().min(0).max(1) }),
    z.strictObject({
      type: z.literal('transform'),
      changes: z.array(ruleChangeSchema).min(1).max(RULE_LIMITS.changesMax),
    }),
  ])
  .meta({ id: 'RuleAction' });

export const ruleNameSchema = z.string().trim().min(1).max(RULE_LIMITS.nameMaxChars);
export const rulePrioritySchema = z.int().min(0).max(RULE_LIMITS.priorityMax);

const storedRuleSchema = z.strictObject({
  id: z.string().min(1),
  /** Of this rule; each change has the next. */
  version: z.int().positive(),
  name: z.string(),
  enabled: z.boolean(),
  /** Lower runs first, and the first match wins; of two alike the one with the lower id, which is the older one. */
  priority: z.int(),
  match: ruleMatchSchema,
  action: ruleActionSchema,
  platforms: z.array(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

export type RuleMatch = z.output<typeof ruleMatchSchema>;
export type RuleAction = z.output<typeof ruleActionSchema>;
export type RuleChange = z.output<typeof ruleChangeSchema>;

export type Rule = Readonly<Omit<z.output<typeof storedRuleSchema>, 'platforms'>> & {
  /** Platform slugs, and ids of connections, that the rule is about; empty = all. */
  readonly platforms: readonly string[];
};

/** What rules changed of an event for some connections, kept with the event: later changes of the rules do not move it. */
export interface Rewrite {
  /** Id of the rule. */
  readonly rule: string;
  readonly changes: readonly RuleChange[];
  /** Slugs, or exact places (target.ts). Absent: for all. */
  readonly platforms?: readonly string[];
}

/** The rule, or why it is none that this release can follow: one that is not understood whole is not followed in part. */
export function readStoredRule(stored: unknown): Rule | { readonly problem: string } {
  const read = storedRuleSchema.safeParse(stored);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { problem: issue === undefined ? 'unknown' : `${issue.path.join('.')}: ${issue.message}` };
}

/** Bytes that count against the limit. */
export function ruleSizeBytes({ name, match, action, platforms }: Omit<Rule, 'id' | 'version'>): number {
  return Buffer.byteLength(JSON.stringify({ name, match, action, platforms }));
}
