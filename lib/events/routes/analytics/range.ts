// The time an answer of analytics is about: a range that ends now, or a start and an end of the caller's.
import * as z from 'zod';
import { zoneNamed } from '../../domain/time-zone.ts';
import { instant } from '../instant.ts';

export const RANGES = ['24h', '7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;
/** Of a start and an end. */
export const SPAN_MAX_DAYS = 400;

export const timeZone = z
  .string()
  .max(60)
  .transform((name, context) => {
    const zone = zoneNamed(name);
    if (zone !== undefined) return zone;
    context.addIssue({ code: 'custom', message: 'must be the name of a time zone, such as Europe/Berlin' });
    return z.NEVER;
  })
  .meta({ description: 'Name of an IANA time zone, such as Europe/Berlin.' });

export const rangeShape = {
  range: z.enum(RANGES).optional().meta({
    description:
      '`24h`: 24 hours of UTC, else days; the current, unfinished one included. `7d` where neither it nor `start` is given.',
  }),
  start: instant.optional().meta({
    description: `Instead of \`range\`: from the ten minutes on that it lies in, at most ${SPAN_MAX_DAYS} days.`,
  }),
  end: instant.optional().meta({
    description: 'With `start`: up to the end of the ten minutes that it lies in; now where it is absent.',
  }),
  time_zone: timeZone
    .optional()
    .meta({ description: 'Whose days; those of the account where it is absent.' }),
};

export interface RangeInput {
  readonly range?: Range | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly time_zone?: string | undefined;
}

type Issues = { code: 'custom'; path: string[]; message: string; input: unknown }[];

/** One sentence for the field that is wrong. What is wrong only as of now, a handler says. */
export function checkRange({
  value,
  issues,
}: {
  readonly value: RangeInput;
  readonly issues: unknown[];
}): void {
  const { range, start, end } = value;
  const refuse = (field: string, message: string): void =>
    void (issues as Issues).push({ code: 'custom', path: [field], message, input: value });
  if (range !== undefined && start !== undefined) refuse('range', 'cannot be combined with start');
  else if (end !== undefined && start === undefined) refuse('start', 'is needed with end');
  if (start === undefined || end === undefined) return;
  const lengthMs = end - start;
  if (lengthMs <= 0) refuse('end', 'must be after start');
  else if (lengthMs > SPAN_MAX_DAYS * DAY_MS) refuse('end', `is more than ${SPAN_MAX_DAYS} days after start`);
}

export const rangeQuery = z.strictObject(rangeShape).check(checkRange);

export const count = z.int().nonnegative();

/** What every answer begins with. */
const spanFields = {
  range: z.enum([...RANGES, 'custom']),
  time_zone: z.string().meta({ description: 'Whose days.' }),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
};

/** The one answer of a route: figures of a span, which it names. */
export const overSpan = <const Shape extends z.ZodRawShape>(shape: Shape) => ({
  200: z.object({ success: z.literal(true), ...spanFields, ...shape }),
});

export const nextSteps = z
  .array(
    z.object({
      code: z.enum([
        ...['create_api_key', 'connect_platform', 'send_first_event', 'repair_connection'],
        ...['closing_window', 'near_limit'],
      ] as const),
      text: z.string(),
    }),
  )
  .meta({
    description:
      'What to do first, where the figures say nothing yet, which connections take no events, and of the overview what is soon too late and which limit is near; empty otherwise.',
  });

/** Whole minor units as text, since an amount may have more digits than a number holds. */
export const money = z.object({
  orders: count,
  minor: z.string().regex(/^\d+$/).meta({ description: 'Whole minor units of the currency.' }),
  amount: z.number().nonnegative().meta({ description: 'The same in units of the currency.' }),
  refunded: z.number().meta({ description: 'What refunds that came in the range took back.' }),
  net: z.number().meta({ description: 'amount less refunded.' }),
});

/** The sum of all currencies in the merchant's own. */
export const reportedMoney = z
  .object({
    currency: z.string(),
    amount: z.number(),
    refunded: z.number(),
    net: z.number(),
    without_rate: z.array(z.string()).meta({ description: 'Currencies that are in none of them.' }),
  })
  .nullable()
  .meta({
    id: 'ReportedMoney',
    description:
      'All currencies together in the reporting currency, each day at its rate, rounded by currency and day; null without one.',
  });
