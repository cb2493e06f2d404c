// One conditional write of a job, as its steps make them.
import type { Erasure } from '../../../lib/events/domain/erasure.ts';
import type { TaskPorts } from './ports.ts';

/** The job under its new version; null where somebody else has gone on with it. */
export async function written(
  next: Erasure,
  erasures: Pick<TaskPorts['erasures'], 'writeErasure'>,
): Promise<Erasure | null> {
  const isMine = await erasures.writeErasure(next, next.version);
  return isMine ? { ...next, version: next.version + 1 } : null;
}
