// Pages of old rows in their bucket. Conditional writes are S3's own: `If-None-Match: *` and `If-Match` of PutObject, which answer
// 412, or 409 where another write of the object is under way (S3 API reference, PutObject, 2026-11-27).
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { PageObjects } from '#lib/events/ports/page-store.ts';

const OVERTAKEN: ReadonlySet<string> = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);

export function createPageObjects(Bucket: string, client = new S3Client({ maxAttempts: 3 })): PageObjects {
  return {
    async read(Key, range) {
      const Range = range === undefined ? {} : { Range: `bytes=${range[0]}-${range[1] - 1}` };
      try {
        const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key, ...Range }));
        if (Body === undefined || ETag === undefined) throw new Error('S3 answered without an object');
        return { bytes: await Body.transformToByteArray(), tag: ETag };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async write(Key, Body, seen) {
      const condition = seen === null ? { IfNoneMatch: '*' } : { IfMatch: seen };
      try {
        const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body, ...condition }));
        if (ETag === undefined) throw new Error('S3 answered without a tag');
        return ETag;
      } catch (error) {
        // An object that is gone is not what was seen, either.
        if (error instanceof NoSuchKey || OVERTAKEN.has((error as Error).name)) return null;
        throw error;
      }
    },
    async names(Prefix) {
      const names: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        names.push(...Contents.flatMap(({ Key }) => Key ?? []));
      return names;
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
