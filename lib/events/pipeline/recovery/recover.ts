// How a lost message is found: counting a due slot finds the rows that no due time covers, and what waits at connections
// that may be gone. Here it is decided what becomes of them.
import type { MinuteCount } from '../counting/count-minute.ts';
import type { RecoveryPorts } from './ports.ts';
import { redrive } from './redrive.ts';
import { withdrawRemoved } from './withdraw.ts';

/**
 * To be called before the count is stored, which moves the slot's due time: a crash in between sends pointers again, which
 * is harmless. `rowsChanged`: deliveries ended, so the count is out of date.
 */
export async function recover(
  { key, due, countedAtMs, stranded, waiting }: MinuteCount,
  ports: RecoveryPorts,
): Promise<{ readonly rowsChanged: boolean }> {
  if (!due) return { rowsChanged: false };
  await redrive(stranded, countedAtMs, ports);
  return { rowsChanged: (await withdrawRemoved(key.merchantId, waiting, ports)) > 0 };
}
