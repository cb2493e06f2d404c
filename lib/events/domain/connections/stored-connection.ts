// A connection as it is stored, in its merchant's routing.
import * as z from 'zod';
import type { Circuit, Connection } from './connection.ts';
import type { Outage } from './outage.ts';

export const STORED_CONNECTION: z.ZodType<Connection> = z.looseObject({
  id: z.string(),
  merchantId: z.string(),
  platform: z.string(),
  slot: z.string().exactOptional(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  revision: z.number(),
  pausedReason: z.enum(['auth', 'manual']).exactOptional(),
  pausedAtMs: z.number().exactOptional(),
  circuit: z
    .looseObject({
      openedAtMs: z.number(),
      probes: z.number(),
      nextProbeAtMs: z.number(),
    } satisfies Record<keyof Circuit, z.ZodType>)
    .exactOptional(),
  outages: z
    .array(
      z.looseObject({
        cause: z.enum(['auth', 'circuit']),
        fromMs: z.number(),
        toMs: z.number(),
      } satisfies Record<keyof Outage, z.ZodType>),
    )
    .exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  sinceVersion: z.number(),
  sealedCredentials: z.string(),
} satisfies Record<keyof Connection, z.ZodType>);
