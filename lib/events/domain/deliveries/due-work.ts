// What a sweep found to be more than it can do itself, as messages of the drain queue. A lost one costs time: the index
// still says what is due, and the next sweep finds it again.
import * as z from 'zod';
import { merchantSchema } from '../pointer.ts';

const SHARDS_MAX = 1_024;
/** Whose due index is meant. */
const table = z.enum(['events', 'batches']);
const shard = z.int().nonnegative().max(SHARDS_MAX);
/** Places at platforms, such as `google_ads+meta#2`: sorted, with a plus between. How a place is spelled is for `slot.ts` to say. */
const parkedFor = z.string().regex(/^[^+]+(\+[^+]+)*$/);

/** Where a run through one group stands. */
const run = z.object({
  /** Random text: who holds the lease of this group and shard. */
  holder: z.string().min(1),
  /** Messages of this run so far; each goes on once. */
  hop: z.int().positive(),
  startedAtMs: z.int(),
  cursor: z.string().optional(),
});

export const dueWorkSchema = z.discriminatedUnion('task', [
  /** Look through the rest of a shard, behind a group. */
  z.object({
    task: z.literal('scan'),
    table,
    merchant: merchantSchema,
    shard,
    parkedFor: parkedFor.optional(),
  }),
  /** Send the pointers of what one group has due in one shard. */
  z.object({
    task: z.literal('due'),
    table,
    merchant: merchantSchema,
    shard,
    parkedFor: parkedFor.optional(),
    run: run.optional(),
  }),
  /** Send the pointers of what is parked for connections that work again. */
  z.object({
    task: z.literal('release'),
    table,
    merchant: merchantSchema,
    shard,
    parkedFor,
    /** The one place it is for, where its platform has a quota to go by; absent: those that have none. */
    paced: z.string().min(1).optional(),
    run: run.optional(),
  }),
]);
export type DueWork = z.output<typeof dueWorkSchema>;
export type DrainTask = Exclude<DueWork, { task: 'scan' }>;
export type Run = z.output<typeof run>;
