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

/**
 * Of an app source, which has names of its own: https://github.com/tiktok/tiktok-business-ios-sdk (TikTokConstants.m, 3cf0fc2) and
 * https://github.com/segmentio/action-destinations (tiktok-app-events), read 2026-11-27.
 */
export const TIKTOK_APP_EVENT_NAMES: EventNames = {
  ...OUR_NAMES,
  AppInstall: 'InstallApp',
  CompleteRegistration: 'Registration',
  InitiateCheckout: 'Checkout',
  Lead: 'GenerateLead',
  Refund: null,
};

export const TIKTOK_OWN_APP_NAMES = ownNames([
  ...['AchieveLevel', 'CompleteTutorial', 'CreateGroup', 'CreateRole', 'ImpressionLevelAdRevenue'],
  ...['InAppADClick', 'InAppADImpr', 'JoinGroup', 'LaunchAPP', 'LoanApplication', 'LoanApproval'],
  ...['LoanDisbursal', 'SpendCredits', 'UnlockAchievement'],
]);
