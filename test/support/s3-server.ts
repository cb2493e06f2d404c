// S3 in a process of its own port, empty but for one bucket, for tests of what reads and writes objects.
import { type Buckets, openBuckets } from '../../services/local/emulators/buckets.ts';

export type S3Server = Buckets;

export async function openS3(bucket: string): Promise<S3Server> {
  const buckets = await openBuckets();
  const made = await fetch(`${buckets.url}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`no bucket: ${made.status}`);
  return buckets;
}
