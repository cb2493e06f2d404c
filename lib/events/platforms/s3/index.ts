// Objects of compressed lines in a bucket of the merchant's own. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { s3Credentials } from './credentials.ts';
import { S3_EVENT_NAMES } from './event-names.ts';
import { partitionOf } from './object-name.ts';
import { s3Request, s3Unsendable } from './payload.ts';
import { isS3Error, readS3Answer, S3_ERRORS, s3Error } from './response.ts';
import { s3Table } from './table.ts';

const PUT_OBJECT = 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html';

export default definePlatform({
  slug: 's3',
  label: 'S3',
  api: { version: '2006-03-01', docs: PUT_OBJECT, readOn: '2026-11-27' },
  credentials: s3Credentials,
  limits: {
    batchSizeMax: 100,
    ageMaxSec: 0,
    bodySizeMaxBytes: 4_000_000,
    timeoutMs: 15_000,
    allOrNothing: false,
  },
  eventNames: S3_EVENT_NAMES,
  sealedFields: [],
  takenMeans: { text: 'the object is stored', source: PUT_OBJECT },
  consentSignals: ['ad_user_data'],
  unsendable: s3Unsendable,
  groupKey: partitionOf,
  keepsBatches: true,
  keepsTestsApart: true,
  buildRequest: s3Request,
  table: s3Table,
  deletion: {
    offered: 'no',
    why: 'What your own bucket got, it keeps: delete the lines of the person there.',
    docs: PUT_OBJECT,
    readOn: '2026-11-27',
  },
  errors: S3_ERRORS,
  errorIn: s3Error,
  isOwnError: isS3Error,
  readAnswer: readS3Answer,
});
