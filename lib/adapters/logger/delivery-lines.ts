// What a platform refused, as log lines: one for each connection and code, at once, and then at most one a minute with the sum
// of what came meanwhile. A deployment counts them (`metric`, `value`), so that refusals are a figure and a pause an alarm.
// Guarantees: adding the lines up gives every event that was refused or put off, save what a process still held when it died.
import { isTaken } from '../../events/domain/deliveries/delivery.ts';
import type { DeliverySignals } from '../../events/ports/delivery-signals.ts';
import { type CallLinesOptions, createCallLines } from './call-lines.ts';
import type { Logger } from './logger.ts';

const EVERY_MS = 60_000;
/** Kept apart by process; more of them are written at once and forgotten. */
const REMEMBERED_MAX = 1_000;

interface Refusals {
  readonly fields: Readonly<Record<string, string>>;
  value: number;
  writtenAtMs: number;
}

export function createDeliveryLines(logger: Logger, options: CallLinesOptions): DeliverySignals {
  const { now } = options;
  const called = createCallLines(logger, options);
  const held = new Map<string, Refusals>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const write = (refusals: Refusals, nowMs: number): void => {
    logger.warn(
      { metric: 'refused_deliveries', ...refusals.fields, value: refusals.value },
      'a platform refused',
    );
    refusals.value = 0;
    refusals.writtenAtMs = nowMs;
  };
  return {
    answered(connection, call) {
      called(connection, call);
      const { merchantId, id, platform } = connection;
      const { outcomes } = call;
      const nowMs = now();
      const touched = new Set<Refusals>();
      for (const { kind, code } of outcomes) {
        if (isTaken(kind)) continue;
        const key = JSON.stringify([id, kind, code]);
        const known = held.get(key);
        const refusals = known ?? {
          fields: { merchantId, connection: id, platform, kind, code: code ?? kind },
          value: 0,
          writtenAtMs: Number.NEGATIVE_INFINITY,
        };
        if (known === undefined) {
          if (held.size >= REMEMBERED_MAX) {
            for (const other of held.values()) if (other.value > 0) write(other, nowMs);
            held.clear();
          }
          held.set(key, refusals);
        }
        refusals.value += 1;
        touched.add(refusals);
      }
      // Of others as well, now and then: their connection may be quiet since.
      const all = nowMs - lookedAtMs >= EVERY_MS;
      if (all) lookedAtMs = nowMs;
      for (const refusals of all ? held.values() : touched)
        if (refusals.value > 0 && nowMs - refusals.writtenAtMs >= EVERY_MS) write(refusals, nowMs);
    },
    paused({ merchantId, id, platform }, reason) {
      logger.error(
        { metric: 'connections_paused', value: 1, merchantId, connection: id, platform, reason },
        'a connection was paused: the platform refuses its credentials',
      );
    },
  };
}
