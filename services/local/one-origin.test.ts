import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { partAt } from './one-origin.ts';

describe('partAt', () => {
  it.each([
    ['POST', '/v1/events', 'ingestion'],
    ['GET', '/v1/events', 'api'],
    ['HEAD', '/v1/events?limit=1', 'api'],
    // A page asks about the API's: ingestion is for servers.
    ['OPTIONS', '/v1/events', 'api'],
    ['DELETE', '/v1/events', 'api'],
    ['GET', '/v1/events/ingest', 'api'],
    ['GET', '/v1/ingest', 'ingestion'],
    ['POST', '/v1/ingest', 'ingestion'],
    ['OPTIONS', '/v1/browser/events', 'ingestion'],
    ['HEAD', '/v1/pixel.js', 'ingestion'],
    ['GET', '/openapi.json', 'api'],
    ['GET', '/', 'api'],
    ['POST', '/v1/nothing', 'api'],
    ['POST', '/v1/t?a=1', 'ingestion'],
    ['GET', '/v1/t', 'api'],
    ['OPTIONS', '/v1/browser/t', 'ingestion'],
    ['GET', '/v1/browser/t', 'ingestion'],
  ])('%s %s', (method, path, part) => expect(partAt(ROUTES, method, path)).toBe(part));
});
