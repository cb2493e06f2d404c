// What a platform refused, and calls whose answers say that their version ends, as log lines: one for each connection and code, or
// header, at once, and then at most one a minute with the sum of what came meanwhile. A deployment counts them (`metric`, `value`),
// so that refusals are a figure and a pause an alarm. Guarantees: adding the lines up gives every event that was refused or put off,
// and every such call, save what a process still held when it died.
import { isTaken } from '../../events/domain/deliveries/delivery.ts';
import type { DeliverySignals } from '../../events/ports/delivery-signals.ts';
import { type CallLinesOptions, createCallLines } from './call-lines.ts';
import type { Logger } from './logger.ts';

const EVERY_MS = 60_000;
/** Kept apart by process; more of them are written at once and forgotten. */
const REMEMBERED_MAX = 1_000;

interface Held {
  readonly metric: keyof typeof TEXTS;
  readonly fields: Readonly<Record<string, string>>;
  /** The latest. */
  said?: string;
  value: number;
  writtenAtMs: number;
}

const TEXTS = {
  refused_deliveries: 'a platform refused',
  deprecated_calls: 'a platform says that the version of its API ends',
} as const;

export function createDeliveryLines(logger: Logger, options: CallLinesOptions): DeliverySignals {
  const { now } = options;
  const called = createCallLines(logger, options);
  const held = new Map<string, Held>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const write = (one: Held, nowMs: number): void => {
    const { metric, fields, said, value } = one;
    logger.warn({ metric, ...fields, ...(said === undefined ? {} : { said }), value }, TEXTS[metric]);
    one.value = 0;
    one.writtenAtMs = nowMs;
  };
  const count = (metric: Held['metric'], fields: Held['fields'], nowMs: number): Held => {
    const key = JSON.stringify([metric, fields]);
    const known = held.get(key) ?? { metric, fields, value: 0, writtenAtMs: Number.NEGATIVE_INFINITY };
    if (!held.has(key) && held.size >= REMEMBERED_MAX) {
      for (const other of held.values()) if (other.value > 0) write(other, nowMs);
      held.clear();
    }
    held.set(key, known);
    known.value += 1;
    return known;
  };
  return {
    answered(connection, call) {
      called(connection, call);
      const { merchantId, id, platform } = connection;
      const nowMs = now();
      const touched = new Set<Held>();
      const about = { merchantId, connection: id, platform };
      for (const { kind, code } of call.outcomes)
        if (!isTaken(kind))
          touched.add(count('refused_deliveries', { ...about, kind, code: code ?? kind }, nowMs));
      for (const { deprecation } of call.calls) {
        if (deprecation === undefined) continue;
        const [header = ''] = deprecation.split(':', 1);
        touched.add(
          Object.assign(count('deprecated_calls', { ...about, header }, nowMs), { said: deprecation }),
        );
      }
      // Of others as well, now and then: their connection may be quiet since.
      const all = nowMs - lookedAtMs >= EVERY_MS;
      if (all) lookedAtMs = nowMs;
      for (const one of all ? held.values() : touched)
        if (one.value > 0 && nowMs - one.writtenAtMs >= EVERY_MS) write(one, nowMs);
    },
    paused({ merchantId, id, platform }, reason) {
      logger.error(
        { metric: 'connections_paused', value: 1, merchantId, connection: id, platform, reason },
        'a connection was paused: the platform refuses its credentials',
      );
    },
  };
}
