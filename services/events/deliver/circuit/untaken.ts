// Which connections take nothing, from the requests of this process: no read, no write. The counts of minutes say it as well
// (failing-watch.ts), of merchants with few events only when a bucket of ten minutes is over.
import { createFailureStreaks } from '#lib/core/work/circuit.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { createSuspicions, type SuspicionPorts } from '#lib/events/pipeline/connections/suspicions.ts';
import type { CallNote } from '../gate.ts';

/** Called after each request, once its outcomes are written. */
export type UntakenWatch = (connection: Connection, notes: readonly CallNote[]) => Promise<void>;

/** By the time they are looked at there may be more; if there are later, they are looked at again. */
const FEW = 2;

export function createUntakenWatch(ports: SuspicionPorts): UntakenWatch {
  const { suspect } = createSuspicions(ports);
  const streaks = createFailureStreaks();
  return async (connection, notes) => {
    if (notes.length === 0) return;
    const { id, merchantId: merchant } = connection;
    // The halves of a batch that was refused as a whole are one request.
    const inARow = streaks.count(id, !notes.some(({ taken }) => taken));
    if (inARow < FEW) return;
    const subject = connectionTarget(connection);
    await suspect({ merchant, incident: 'failing', subject }, inARow === FEW ? 'few' : 'many');
  };
}
