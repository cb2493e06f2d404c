// Limits of a route's calls, and of failed credentials, as hooks. Guarantees: calls are counted by credential and
// route, over all processes; failed credentials are counted by address, and a valid credential from the same address is
// still accepted. If the limits cannot be read, calls are allowed and the failure is reported: a broken limit must not
// stop what it protects.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../core/http/route.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { actorOf, type Caller, type Stranger } from '../../core/tenancy/caller.ts';
import type { UnitBudget, UnitMeter } from '../../core/tenancy/unit-budget.ts';
import { addressBlock } from '../../core/work/address-block.ts';
import type { CallGrant, CallLimiter } from '../../core/work/call-limiter.ts';

export interface CallLimitParts {
  readonly limiter: CallLimiter;
  readonly clock: Clock;
  /** Failed credentials per minute from one address. Absent: no limit. */
  readonly failedPerMinute?: number;
  /** Calls of all credentials of a merchant together, in a minute. Absent: no limit beside those of routes. */
  readonly merchantPerMinute?: number;
  /** What a merchant may consume of the database in a day. Absent: no limit. */
  readonly units?: UnitBudget & { readonly meter: UnitMeter };
}

type Report = (problem: string, error: unknown, context: { readonly requestId: string }) => void;

export interface CallLimits {
  /** Seconds to wait; null if the call may continue. Sets its headers. */
  countCall(
    route: Route,
    caller: Caller | Stranger,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<number | null>;
  /** Carries a call out, and has its merchant spend what it consumes. */
  metered<T>(caller: Caller | null, requestId: string, work: () => Promise<T>): Promise<T>;
  /** For a credential that proved nothing. Seconds to wait; null if it gets an ordinary refusal. */
  countFailed(request: FastifyRequest): Promise<number | null>;
}

const headersOf = (limit: number, { remaining, resetSec }: CallGrant) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSec),
});

function isScan(where: readonly string[] | undefined, { query }: FastifyRequest): boolean {
  return where === undefined || where.some((name) => Object.hasOwn((query ?? {}) as object, name));
}

/**
 * Refused addresses are remembered and not counted again, so that they cost nothing. At this number all are forgotten.
 */
const REMEMBERED_MAX = 10_000;

export function callLimitsOf(parts: CallLimitParts | undefined, report: Report): CallLimits {
  const refusedUntilMs = new Map<string, number>();
  const take = async (
    id: string,
    limit: number,
    request: FastifyRequest,
    { limiter, clock }: CallLimitParts,
  ): Promise<CallGrant | null> => {
    try {
      return await limiter.take(id, limit, clock.now());
    } catch (error) {
      report('a rate limit could not be asked; the call was let through', error, { requestId: request.id });
      return null;
    }
  };
  return {
    async countCall(route, caller, request, reply) {
      if (route.rateLimit === undefined || parts === undefined) return null;
      const { perMinute } = route.rateLimit;
      if (caller.kind === 'stranger') {
        const own = await take(JSON.stringify(['stranger', caller.sub, route.id]), perMinute, request, parts);
        return own?.granted === false ? own.resetSec : null;
      }
      const untilTomorrow = parts.units?.waitSec(caller.merchantId, parts.clock.now()) ?? null;
      if (untilTomorrow !== null) return untilTomorrow;
      if (parts.merchantPerMinute !== undefined) {
        const all = JSON.stringify([caller.merchantId, 'calls']);
        const ofMerchant = await take(all, parts.merchantPerMinute, request, parts);
        if (ofMerchant?.granted === false) {
          reply.headers(headersOf(parts.merchantPerMinute, ofMerchant));
          return ofMerchant.resetSec;
        }
      }
      const id = JSON.stringify([caller.merchantId, actorOf(caller), route.id]);
      const grant = await take(id, perMinute, request, parts);
      if (grant === null) return null;
      reply.headers(headersOf(perMinute, grant));
      if (!grant.granted) return grant.resetSec;
      const { scans } = route.rateLimit;
      if (scans === undefined || !isScan(scans.where, request)) return null;
      const scan = await take(JSON.stringify([caller.merchantId, 'scans']), scans.perMinute, request, parts);
      if (scan === null || scan.granted) return null;
      reply.headers(headersOf(scans.perMinute, scan));
      return scan.resetSec;
    },

    async metered(caller, requestId, work) {
      const units = parts?.units;
      if (caller === null || parts === undefined || units === undefined) return await work();
      return await units.meter.measured(work, async (consumed) => {
        await units.spend(caller.merchantId, consumed, parts.clock.now()).catch((error: unknown) => {
          report('what a call consumed could not be noted', error, { requestId });
        });
      });
    },

    async countFailed(request) {
      const limit = parts?.failedPerMinute;
      if (limit === undefined || parts === undefined) return null;
      // A client that has left in the meantime has no address.
      const address = addressBlock(String(request.ip));
      const nowMs = parts.clock.now();
      const untilMs = refusedUntilMs.get(address) ?? 0;
      if (untilMs > nowMs) return Math.ceil((untilMs - nowMs) / 1_000);
      const grant = await take(JSON.stringify(['failed', address]), limit, request, parts);
      if (grant === null || grant.granted) return null;
      if (refusedUntilMs.size >= REMEMBERED_MAX) refusedUntilMs.clear();
      refusedUntilMs.set(address, nowMs + grant.resetSec * 1_000);
      return grant.resetSec;
    },
  };
}
