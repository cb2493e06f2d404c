// The one way to S3: objects of one bucket. Guarantees: what is larger than asked for is not read into memory.
// Endpoint, region and credentials come from the SDK's own environment variables.
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
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
    async readStart(key, maxBytes) {
      try {
        const { Body, LastModified } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        if (Body === undefined || LastModified === undefined)
          throw new Error('S3 answered without an object');
        const bytes = await startOf(Body.transformToWebStream(), maxBytes);
        return { bytes, storedAtMs: LastModified.getTime() };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async write(key, bytes, contentType) {
      const object = { Bucket: bucket, Key: key, ContentType: contentType };
      if (bytes.byteLength > PART_BYTES) await writeParts(client, object, bytes);
      else await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}

/** The emulator of a laptop takes no more than 11 MB at once. */
const PART_BYTES = 8 * 1_048_576;

async function writeParts(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string; readonly ContentType: string },
  bytes: Uint8Array,
): Promise<void> {
  const { Bucket, Key } = object;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  const Parts: CompletedPart[] = [];
  for (let from = 0; from < bytes.byteLength; from += PART_BYTES) {
    const PartNumber = Parts.length + 1;
    const Body = bytes.subarray(from, from + PART_BYTES);
    const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
  }
  await client.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
}

async function startOf(stream: ReadableStream, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop ends the transfer.
  for await (const chunk of stream as ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Ends the transfer: what is not read would keep its connection. */
async function cancel(body: { transformToWebStream(): ReadableStream }): Promise<void> {
  await body.transformToWebStream().cancel();
}
