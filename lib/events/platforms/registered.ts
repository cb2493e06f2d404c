// One line per platform: `npm run new:platform` adds it. Nothing else in the repository lists them.
export { default as amazon } from './amazon/index.ts';
export { default as ga4 } from './ga4/index.ts';
export { default as google_ads } from './google-ads/index.ts';
export { default as klaviyo } from './klaviyo/index.ts';
export { default as linkedin } from './linkedin/index.ts';
export { default as meta } from './meta/index.ts';
export { default as microsoft } from './microsoft/index.ts';
export { default as openai_ads } from './openai-ads/index.ts';
export { default as pinterest } from './pinterest/index.ts';
export { default as postback } from './postback/index.ts';
export { default as reddit } from './reddit/index.ts';
export { default as s3 } from './s3/index.ts';
export { default as snapchat } from './snapchat/index.ts';
export { default as tiktok } from './tiktok/index.ts';
export { default as webhook } from './webhook/index.ts';
export { default as x } from './x/index.ts';
