// Where the next page of GET /v1/events starts: after an event, or, in an order that no index keeps, after so many.
import * as z from 'zod';
import { createListCursor } from '#lib/core/http/list-cursor.ts';

const placeSchema = z
  .strictObject({
    /** Events before the page. */
    o: z.int().nonnegative(),
    /** Events in all, as counted for the first page, and whether that was all of them. */
    n: z.int().nonnegative(),
    x: z.boolean(),
    /** Time and id of the last event seen; absent where only the offset counts. */
    t: z.int().nonnegative().max(8.64e15).optional(),
    i: z.guid().optional(),
  })
  .refine(({ t, i }) => (t === undefined) === (i === undefined));

export type EventCursor = z.output<typeof placeSchema>;

export const eventCursor = createListCursor(placeSchema);
