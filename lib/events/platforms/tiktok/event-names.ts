import { type EventNames, OUR_NAMES, ownNames } from '../event-name.ts';

/** https://ads.tiktok.com/help/article/standard-events-parameters; `Pageview` as in TikTok's own tag template. */
export const TIKTOK_EVENT_NAMES: EventNames = { ...OUR_NAMES, PageView: 'Pageview', Refund: null };

/** Names before 2024, still bound to the optimisation of pixels that use them. */
export const TIKTOK_LEGACY_NAMES: EventNames = {
  ...TIKTOK_EVENT_NAMES,
  Purchase: 'CompletePayment',
  Lead: 'SubmitForm',
};

/** Standard events that are another word for one of ours. https://ads.tiktok.com/help/article/supported-standard-events */
export const TIKTOK_OWN_NAMES = ownNames([
  'ApplicationApproval',
  'CompletePayment',
  'PlaceAnOrder',
  'SubmitForm',
]);
