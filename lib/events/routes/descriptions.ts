// What each operation of the event product does, guarantees and asks for, in the sentences of its OpenAPI document. They stand apart
// from the routes because a function carries those from its start on, and only the document needs the sentences.
// Refuses to compile for an operation without one.
import { OF_DOCUMENTS, OF_KEYS, OF_MEMBERS } from '../../core/routes/descriptions.ts';
import type { ROUTES } from './every-route.ts';

export const EVENT_DESCRIPTIONS: Readonly<Record<(typeof ROUTES)[number]['id'], string>> = {
  postEvents:
    'Stores one event, which is then delivered to every connected platform that has use for it. An `event_id` that came within the last 24 hours is refused with 409, which says when it was accepted and whether it said the same: so a request may be repeated as often as needed.',
  postIngest:
    'Takes one event as `POST /v1/events` does, or up to 500 in `events`, each judged on its own: the answer has a result for each, in the order sent. Only events whose result is 503 are worth repeating: the others are stored, or refused for what they say.',
  postBrowserEvents:
    'Takes events of a page, without a credential, of merchants that switched it on, from the origins they list or from any where they list none. Bodies may come as `text/plain`, as beacons send them. Beyond the limit, events of a batch are answered 429 one by one; a batch is a success in the whole only where all were taken.',
  getPixel:
    'The script that pages load to send events to `POST /v1/browser/events`. Caches keep it for minutes; with `If-None-Match` an unchanged one is answered 304.',
  postSegmentBatch:
    'Takes up to 500 messages, each judged on its own, with a result for each in the order sent. Where one could not be stored for a reason that passes, all is answered 503 and may be repeated: messages are known by their `messageId` for 24 hours.',
  postBrowserSegment:
    "Takes the calls of Segment's analytics.js, whose `apiHost` ends in `/v1/browser` and whose `writeKey` is the merchant's id, as browser events: up to 30 messages, or one where the path ends in `/t`, `/p`, `/s`, `/i`, `/g` or `/a`. A batch of which some were beyond the limit is answered 429 and may be repeated whole. A secret key is refused: pages are public.",
  postSegmentTrack:
    'Becomes an event of the name in `event`. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  postSegmentPage:
    'Becomes a `PageView`. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  postSegmentScreen:
    'Becomes a `PageView`, as a page does. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  postSegmentIdentify:
    'Stored as the event `Identify`, shown and searched, and sent to no platform. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  postSegmentGroup:
    'Stored as the event `Group`, shown and searched, and sent to no platform. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  postSegmentAlias:
    'Stored as the event `Alias`, shown and searched, and sent to no platform. A call that is repeated with its `messageId` within 24 hours succeeds and changes nothing.',
  listEvents:
    'Without filters the newest first, at the price of what is shown. Filters by name, source, platform and outcome leave out what counters rule out, which are two minutes behind at most; what is left, `search` and other orders look through up to 10,000 events a request. A merchant has 60 such calls a minute; go on with `next_cursor`, also where a page is short.',
  readEvent:
    'One event as it is stored, and its delivery to each platform with the latest attempts. Digests are shortened and addresses masked: nothing personal is answered plainly.',
  explainEvent:
    'For every platform there is, connected or not, one verdict with a sentence: delivered, waiting, failed, or why the platform is not to have the event. Verdicts were made when the event came in; later changes of rules do not change them.',
  replayEvent:
    'Makes a new event from a stored one, whose id is the original’s with an ending, and sends it through rules, consent and every connection as they are now. Without an `Idempotency-Key` each call makes another event. With `dedupe: new` platforms count it a second time.',
  forwardEvent:
    'Replays an event to the platforms named alone, such as one that was connected later. Every one must be connected: else nothing is sent and the answer names those that are not. Without an `Idempotency-Key` each call makes another event.',
  retryFailed:
    'Sends the event again to the platforms where it failed, or waits for its next attempt, and ends those deliveries; platforms that took it are left alone. Several calls at once are one retry. 409 where nothing has failed.',
  listDeliveries:
    'Deliveries across events, with their attempts, for finding what fails and why. Filters look through up to 10,000 rows a request, and a merchant has 60 such calls a minute.',
  listOrders:
    'Each order once, by the event that is counted for it, with what refunds left of its value and the platform it is credited to. Looks through rows: a merchant has 60 such calls a minute.',
  readOrder:
    'One order with its value, its refunds and what each took back, and every event that reported it: the one that is counted and its copies. Purchases that repeat an order are shown and not counted again.',
  readPerson:
    'What is known of a person by exactly one of their identifiers, found without looking through events. Holds orders of people who did not deny `analytics`, as long as personal data is kept and at most 90 days; purchases without an order id are in none.',
  reportPerson:
    'Answers a request for access: by any of the identifiers given, what the index holds, and each event that an erasure would find, with what it holds of the person by name and the platforms that took it. Looks through up to 10,000 rows a page: go on with `next_cursor`, also where a page is short. The helpdesk exports what it holds itself.',
  getOverview:
    'Events, deliveries, revenue and health of a range, each beside the range before. Read from counters, which follow events by two minutes at most; figures without data are 0 and named in `without_data`.',
  getVolume:
    'Events and deliveries by hour or by day, as the length of the range asks for. Read from counters, which follow events by two minutes at most.',
  getCoverage:
    'Which event names reach which platforms, and what became of the others. Read from counters, which follow events by two minutes at most.',
  getQuality:
    'Which identifying fields events carry, how much that is worth for matching, and what to add first, with examples and instructions.',
  getFunnel:
    'How many events of each stage came, from page view to purchase; crawlers and replays are left out. It counts events, not people.',
  getRevenueAttribution:
    'Credits each order to the platform of the first click that is known of the buyer in 90 days before it. It counts once, however often it was reported; refunds are taken off in the range in which they came.',
  verifyAnalytics:
    'Reads the stored events of a range and compares every figure with the counters: a drift of 0 proves them. Credits orders anew whose clicks became known later, unless `settle` is false; changes nothing else. A long range takes several calls, each from `next_start` of the one before. A merchant has 60 such calls a minute.',
  listPlatforms:
    'Connections with their settings and health, and every platform that can be connected with the fields it asks for. Secrets are named and never shown.',
  listIncidents:
    'Which platforms refuse, fail or hold back what they are sent: since when, in whose words, how much waits and until when, and what to do; and the outages that are over. Ask it from a monitor: the figures are those of the pages.',
  connectPlatform:
    'Checks credentials by the platform’s own rules, without calling it, and stores them encrypted. The first connection answers 201; credentials for the same destination renew those that are there, answer 200 and end a pause. Another destination takes `another` or `replace`.',
  updatePlatform:
    'Changes what is named and nothing else; the connection keeps its id, and what waits for it goes out with the new credentials. While it is paused, deliveries wait. With `If-Match` a connection that changed meanwhile is left alone (412).',
  disconnectPlatform:
    'Removes a connection and its credentials for good. Deliveries that wait for it end; what was delivered stays on record. A second call is answered 404.',
  previewPlatform:
    'Shows the request that would be sent for a stored or a pasted event, with its verdict and what is missing. Works before a platform is connected, with sample credentials. Nothing is sent, stored or counted.',
  testPlatform:
    'Sends one made-up event over the connection in the platform’s test mode, and shows request and answer without secrets. A refusal by the platform is a result, answered 200 with `ok: false`. Where the platform would count it, nothing is sent (409).',
  listRules:
    'Every rule, in the order in which they decide. A stored rule that cannot be read is skipped when events come, and listed in `broken`.',
  createRule:
    'Decides over events that are normalized from then on; verdicts made before stay. Try it first with `POST /v1/rules/preview`. Without an `Idempotency-Key` each call makes another rule.',
  updateRule:
    'Replaces the fields that are given; `match` and `action` as a whole. Holds for events normalized from then on. With `If-Match` a rule that changed meanwhile is left alone (412).',
  deleteRule:
    'Removes the rule, also one that cannot be read. Verdicts it made stay. A second call is answered 404; `If-Match` guards a rule that changed meanwhile.',
  previewRule:
    'Decides over the last stored events with and without the rule, by the code that decides over new ones, and lists those that differ. Nothing is written. A merchant has 60 such calls a minute.',
  createReplay:
    'Starts a plan that works through the events of the filter, at the rate given, and sends each once more as an event of its own. With `dry_run` it counts by platform what it would send and sends nothing. At most five may run or be paused.',
  listReplays: 'Plans with their progress and counts, dry runs among them.',
  readReplay:
    'How far a plan is, and by platform what became of the events it looked at. Ask again while `state` is `running`.',
  changeReplay:
    'Pauses a plan where it is, lets it go on from there, or changes its rate. Asking for what holds already changes nothing; a plan that is over is answered 409.',
  cancelReplay:
    'Ends a plan for good: what it sent stays sent, the rest is not sent. A plan that is over is answered 409.',
  createReconciliation:
    'Takes a list of orders and begins to compare it with what each platform was sent; answered at once, while the work goes on. Needs an order id or event id in every row. The upload is kept encrypted and deleted after seven days; at most five run at a time.',
  listReconciliations: 'Reconciliations that are still kept, with their progress and figures.',
  readReconciliation:
    'How far it is, and once it is done how many orders each platform has, misses, doubles or has with another value. Ask again while `status` is `running`.',
  listReconciledOrders:
    'The orders behind the figures: without `status`, those that are not matched everywhere, each with the events found of it. Answered 409 until the reconciliation is done.',
  replayReconciliation:
    'Makes a replay plan of one event for each order that the platform misses; what it has is not sent again. Takes the next orders with `cursor`; `dry_run` counts only. Orders of which no event was found cannot be sent.',
  getAccount:
    'The profile, its settings with the defaults filled in, the operations that the credential may call, and what of the set-up is done.',
  updateAccount:
    'Changes the fields that are named and leaves the others; null puts a setting back to its default. No setting goes beyond the limits of the deployment. With `If-Match` a profile that changed meanwhile is left alone (412).',
  listExchangeRates: 'Rates into the reporting currency, by currency and day, the newest first.',
  putExchangeRates:
    'One unit of `currency` is `rate` units of the reporting currency from `day` on, until the day of a newer rate; null takes a rate away. Others stay. Figures follow at once, those of past days too.',
  listApiKeys:
    'Every key with its scopes, who made it and when it was last used. The keys themselves are never shown again.',
  createApiKey: OF_KEYS.create,
  revokeApiKey: OF_KEYS.revoke,
  listMembers:
    'The people who may act for the merchant, with their roles, and the invitations that are open.',
  ...OF_MEMBERS,
  getPerson:
    'Like joining and making a merchant, a member of several may call it without naming one. Empty for a person who is in no team.',
  createMerchant:
    'Refused with 403 unless the setting `signUp` is on. A person makes so many, a member of as many none, an address so many in a UTC day. It has limits that the operator raises.',
  listAuditLog:
    'Every change that people, keys, operators and the payment provider made, with the record it was about and whether it was done. Reading leaves no entry.',
  aiChat:
    'Answers as a stream of events. The assistant reads with the rights of the caller, and proposes changes that run only when the caller sends the `id` of the confirmation, once and within ten minutes. Nothing of the conversation is kept; each call counts against the day’s limit.',
  listBillingPlans: 'Prices of all plans. Needs no credential.',
  getBillingUsage:
    'Events of the period, what they cost so far, and an estimate of what AWS takes for them. Counted also where the deployment sells nothing. For owners in person; keys never see it.',
  openBillingCheckout:
    'Answers the address of a page of the payment provider. A merchant with a subscription gets the page on which its change is confirmed, never a second subscription. Nothing is charged before the person confirms it there.',
  openBillingPortal:
    'Answers the address of the payment provider’s page for the payment method and for cancelling. 409 for a merchant that never opened a checkout.',
  takeBillingEvent:
    'For the payment provider alone: a body whose signature fits is taken once, and a repeated one changes nothing (`repeated`). News of unknown customers or of other kinds is answered `ignored`.',
  createErasure:
    'Begins to erase what is personal of a person from all stored events received before; it cannot be undone. Events stay without it, and counters as they are. Asked for again while it runs, the same erasure is answered.',
  listErasures: 'Erasures and their receipts, which are kept for 400 days.',
  readErasure:
    'How far an erasure is; once `done`, the receipt that nothing personal of the person was found any more. Ask again while it is `running`.',
  suppressPerson:
    'For who objects, without an erasure. From half a minute later events with one of the identifiers, in whichever spelling, go as the setting `suppression` says, replays too. Ids of a browser alone are not recognised; what was normalized before goes as decided.',
  importSuppressed:
    'As `suppressPerson` for many: JSON, CSV whose first line names the columns email, phone and external_id, or a line for each person with nothing but an address, a number with + or an id. What cannot be read is named by line, and nobody is put on the list. Asked for again, it changes nothing.',
  countSuppressed:
    'It holds keyed digests and cannot say whose they are: ask about a person with `GET /v1/people/report`.',
  unsuppressPerson:
    'For who consents again: later events are like any other, and what was left out of earlier ones is gone. Name the person by the same words, or the same digests.',
  getOpenApi: OF_DOCUMENTS.openApi,
  getDocs: OF_DOCUMENTS.docs,
  getDocsScript: OF_DOCUMENTS.docsScript,
  getDocsStart: OF_DOCUMENTS.docsStart,
  getDocsStyle: OF_DOCUMENTS.docsStyle,
};
