// Everything that is compared.
import type { Comparison } from '../comparison.ts';
import { amazonComparison } from './amazon.ts';
import { businessSdkMeta } from './business-sdk-meta.ts';
import { ga4Comparison } from './ga4.ts';
import { googleAdsComparison } from './google-ads.ts';
import { klaviyoComparison } from './klaviyo.ts';
import { linkedinComparison } from './linkedin.ts';
import { microsoftComparison } from './microsoft.ts';
import { paramBuilderMeta } from './param-builder-meta.ts';
import { pinterestComparison } from './pinterest.ts';
import { redditComparison } from './reddit.ts';
import { segmentMeta } from './segment-meta.ts';
import { snapchatComparison } from './snapchat.ts';
import { tiktokComparison } from './tiktok.ts';

import { xComparison } from './x.ts';

export const COMPARISONS: readonly Comparison[] = [
  paramBuilderMeta,
  businessSdkMeta,
  segmentMeta,
  googleAdsComparison,
  ga4Comparison,
  tiktokComparison,
  snapchatComparison,
  pinterestComparison,
  linkedinComparison,
  redditComparison,
  microsoftComparison,
  amazonComparison,
  klaviyoComparison,
  xComparison,
];
