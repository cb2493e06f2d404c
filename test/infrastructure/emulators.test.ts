import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml');

  it('runs the MiniStack that deploy:local installs, and pins LocalStack', () => {
    const version = read('scripts/deploy-local/ministack-requirements.txt').trim().replace('ministack==', '');
    expect([...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image)).toEqual([
      'localstack/localstack:4.14.0',
      `ministackorg/ministack:${version}`,
    ]);
  });

  it('is reachable from this machine only', () => {
    const published = [...compose.matchAll(/^ +- "(\S+:\d+:\d+)"$/gm)].map(([, port]) => port);
    expect(published.length).toBeGreaterThan(0);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
