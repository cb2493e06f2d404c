// The one way to S3: objects of one bucket. Guarantees: what is larger than asked for is not read into memory.
// Endpoint, region and credentials come from the SDK's own environment variables.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from '../../helpdesk/ports/mail.ts';

export interface ObjectStoreOptions {
  /** Where it is an address and no name, buckets stand in the path. */
  readonly endpoint?: string;
}

export function createObjectStore(bucket: string, { endpoint }: ObjectStoreOptions = {}): ObjectStore {
  const client = new S3Client({
    maxAttempts: 3,
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  return {
    async read(key, maxBytes) {
      try {
        const { Body, ContentLength, LastModified } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: key }),
        );
        if (Body === undefined || LastModified === undefined)
          throw new Error('S3 answered without an object');
        if ((ContentLength ?? Number.POSITIVE_INFINITY) > maxBytes) {
          await cancel(Body);
          return 'too large';
        }
        return { bytes: await Body.transformToByteArray(), storedAtMs: LastModified.getTime() };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async write(key, bytes, contentType) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: contentType }),
      );
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}

/** Ends the transfer: what is not read would keep its connection. */
async function cancel(body: { transformToWebStream(): ReadableStream }): Promise<void> {
  await body.transformToWebStream().cancel();
}
