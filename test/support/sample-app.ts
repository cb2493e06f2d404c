// An app event with everything known about app and device, as normalization makes it.
import type { AppPart } from '#lib/events/domain/event/app.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, sampleEvent } from './sample-event.ts';

export const SAMPLE_MADID = '6d92078a-8246-4ba4-ae5b-76104861e7dc';

export const SAMPLE_APP: AppPart = {
  platform: 'ios',
  id: '1234567890',
  name: 'Shop',
  version: '7.7.1',
  build: '771',
  tracking: 'authorized',
  instance_id: 'cafe0123456789cafe0123456789cafe',
  vendor_id: 'AEBE52E7-03EE-455A-B3C4-E57283966239',
  campaign_ids: 'campaign-words',
  os_version: '18.1',
  device_model: 'iPhone17,1',
  device_brand: 'Apple',
  carrier: 'TMobile',
  locale: 'en_US',
  timezone: 'America/New_York',
  screen_width: '1179',
  screen_height: '2556',
  screen_density: '3',
};

export const SAMPLE_EXTINFO = [
  ...['i2', '1234567890', '7.7.1', '771', '18.1', 'iPhone17,1', 'en_US', '', 'TMobile'],
  ...['1179', '2556', '3', '', '', '', 'America/New_York'],
];

/** Of a purchase, without an address of the web. */
export function appEvent(app: AppPart = {}, more: Partial<NormalizedEvent> = {}): OutgoingEvent {
  const {
    eventSourceUrl: _u,
    referrerUrl: _r,
    ...event
  } = sampleEvent({
    actionSource: 'app',
    app: { ...SAMPLE_APP, ...app },
    hashed: SAMPLE_HASHED,
    raw: { ...SAMPLE_RAW, userAgent: 'Shop/7.7.1 (iPhone; iOS 18.1)', madid: SAMPLE_MADID },
    ...more,
  });
  return event as OutgoingEvent;
}
