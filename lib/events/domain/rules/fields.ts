// What a rule may take out of an event. Of a person every trace of a field goes: its digests, its raw and its plain value.
import { FIELD_FACTS, type IdentityTraces, OWN_FIELDS, type OwnField } from '../identity/field-facts.ts';

const EVENT_FIELDS = [
  'value',
  'order_id',
  'items',
  'event_source_url',
  'referrer_url',
  'custom_data',
  'app',
] as const;

type IdentityField = `user_data.${OwnField}`;

/** By the name in `user_data`. */
export const IDENTITY_TRACES = Object.fromEntries(
  OWN_FIELDS.map((field): [string, IdentityTraces] => [`user_data.${field}`, FIELD_FACTS[field]]),
) as Readonly<Record<IdentityField, IdentityTraces>>;

export type DroppedField = (typeof EVENT_FIELDS)[number] | IdentityField;

export const DROPPED_FIELDS: readonly [DroppedField, ...DroppedField[]] = [
  ...EVENT_FIELDS,
  ...(Object.keys(IDENTITY_TRACES) as IdentityField[]),
];

export const isIdentityField = (field: string): field is IdentityField =>
  Object.hasOwn(IDENTITY_TRACES, field);
