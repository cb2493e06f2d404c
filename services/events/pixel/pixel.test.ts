// Goal: the SDK stays within its budget and what is served is what the source says. Method: bundle it and look.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundlePixel, PIXEL_MAX_BYTES, PIXEL_MAX_GZIP_BYTES } from './build.ts';
import { BUNDLE_FILE, bundleModule } from './write-bundle.ts';

describe('the bundle', () => {
  it('is within its budget, minified and compressed', async () => {
    const javascript = await bundlePixel();
    expect(Buffer.byteLength(javascript)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(javascript)).toBeLessThanOrEqual(PIXEL_MAX_BYTES);
    expect(gzipSync(javascript, { level: 9 }).byteLength).toBeLessThanOrEqual(PIXEL_MAX_GZIP_BYTES);
  });

  it('is the same every time', async () => {
    expect(await bundlePixel()).toBe(await bundlePixel());
  });

  it('is what the ingestion service serves', async () => {
    expect(await readFile(BUNDLE_FILE, 'utf8')).toBe(bundleModule(await bundlePixel()));
  });

  it('comes back out of the generated module unchanged, whatever is in it', async () => {
    const hostile = ['\'"`$', '{x}`\\n\n\\'].join('');
    const module = `data:text/javascript,${encodeURIComponent(bundleModule(hostile))}`;
    const { PIXEL_JS, PIXEL_ETAG } = (await import(module)) as Record<string, string>;
    expect(PIXEL_JS).toBe(hostile);
    expect(PIXEL_ETAG).toMatch(/^"[0-9a-f]{32}"$/);
  });
});
