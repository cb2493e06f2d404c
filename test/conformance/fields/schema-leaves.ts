// The fields an event may have, as its schema says, and those that are for this service alone.
import * as z from 'zod';
import { eventSchema } from '#lib/events/domain/event/event.ts';

/** Keys that no platform is sent, and why. */
export const KEPT_HERE: Readonly<Record<string, string>> = {
  merchant_id: 'says whose event it is; platforms know the merchant by the connection',
  'consent.functionality_storage': 'no platform asks for it',
  'consent.personalization_storage': 'no platform asks for it',
  'consent.security_storage': 'no platform asks for it',
  source: 'tells the merchant’s own senders apart: lists, rules and analytics show it',
};

/** Dotted names of all leaves, `items.name` for a field of an item. */
function leavesOf(schema: z.ZodType, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return leavesOf(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodPipe) return leavesOf(schema.in as z.ZodType, path);
  if (schema instanceof z.ZodArray) return leavesOf(schema.element as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).flatMap(([key, part]) =>
    leavesOf(part, path === '' ? key : `${path}.${key}`),
  );
}

export const LEAVES = leavesOf(eventSchema, '');
