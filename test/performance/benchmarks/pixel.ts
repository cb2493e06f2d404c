// What a shop's visitors download.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundlePixel, PIXEL_MAX_BYTES, PIXEL_MAX_GZIP_BYTES } from '#services/events/pixel/build.ts';
import { atMost, figure, report } from '../result.ts';

const script = Buffer.from(await bundlePixel());
report({
  benchmark: 'pixel.js',
  rows: [
    atMost('minified', script.byteLength, 'bytes', PIXEL_MAX_BYTES),
    atMost('gzip', gzipSync(script, { level: 9 }).byteLength, 'bytes', PIXEL_MAX_GZIP_BYTES),
    figure('brotli', brotliCompressSync(script).byteLength, 'bytes'),
  ],
});
