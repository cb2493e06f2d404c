// One line per platform: `npm run new:platform` adds it. Nothing else in the repository lists them.
export { default as ga4 } from './ga4/index.ts';
export { default as meta } from './meta/index.ts';
export { default as tiktok } from './tiktok/index.ts';
