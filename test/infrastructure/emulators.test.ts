import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MINISTACK_VERSION } from '../../scripts/deploy-local/ministack.ts';

describe('docker-compose.yml', () => {
  const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');

  it('runs the MiniStack that deploy:local installs, and pins LocalStack', () => {
    expect([...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image)).toEqual([
      'localstack/localstack:4.14.0',
      `ministackorg/ministack:${MINISTACK_VERSION}`,
    ]);
  });

  it('is reachable from this machine only', () => {
    const published = [...compose.matchAll(/^ +- "(\S+:\d+:\d+)"$/gm)].map(([, port]) => port);
    expect(published.length).toBeGreaterThan(0);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
