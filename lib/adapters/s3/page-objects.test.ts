import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { pageObjectsConformance } from '#test/conformance/stores/page-objects.suite.ts';
import { createMemoryPageObjects } from '#test/support/memory/page-objects.ts';
import { openS3, type S3Server } from '#test/support/s3-server.ts';
import { createPageObjects } from './page-objects.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await openS3('pages');
});
beforeEach(() => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url);
});
afterAll(() => s3.close());

pageObjectsConformance('S3', () => createPageObjects('pages'));
pageObjectsConformance('memory', createMemoryPageObjects);
