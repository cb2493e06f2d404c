// Reads a connection for work on many deliveries: one that cannot be read is reported, and does not stop the others.
import { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import type { Connection } from '../../domain/connections/connection.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';

/** Undefined if it cannot be read: its deliveries go on waiting. */
export async function knownConnection(
  connection: ConnectionStore['connection'],
  merchantId: string,
  slot: string,
  report: (problem: string, error: unknown) => void,
): Promise<Connection | null | undefined> {
  try {
    return await connection(merchantId, slot);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    report(`deliveries to ${slot} wait for a connection that cannot be read`, error);
    return undefined;
  }
}
