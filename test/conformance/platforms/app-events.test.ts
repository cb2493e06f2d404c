// What each platform gets of an app event, by the vendor's own pages (cited in each README), and why one gets none.
import { describe, expect, it } from 'vitest';
import type { AppPart } from '#lib/events/domain/event/app.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { appEvent, SAMPLE_APP, SAMPLE_EXTINFO, SAMPLE_MADID } from '#test/support/sample-app.ts';
import { SAMPLE_HASHED } from '#test/support/sample-event.ts';
import { CALLER, loadPlatformModules } from './platform-modules.ts';

const SNAP_APP = '0192f7a0-0000-4000-8000-00000000a44a';
/** Of connections that take app events. */
const MORE: Readonly<Record<string, object>> = {
  snapchat: { snap_app_id: SNAP_APP },
  tiktok: { event_source: 'app', event_source_id: '7300000000000000001' },
};
const modules = await loadPlatformModules();
const slugs = modules.map(({ slug }) => slug);

function of(slug: string, more: object | undefined = MORE[slug]) {
  const module = modules.find((one) => one.slug === slug);
  if (module === undefined) throw new Error(slug);
  const { platform, examples, sandbox } = module;
  const given = { ...(examples[0].credentials as object), ...more };
  const credentials = platform.credentials.parse(given);
  return {
    fault: (event: NormalizedEvent) => platform.unsendable(event, credentials)?.detail,
    group: (event: NormalizedEvent) => platform.groupKey?.(event, credentials),
    request: (event: OutgoingEvent) => platform.buildRequest([event], credentials, CALLER),
    body: (event: OutgoingEvent) => JSON.parse(platform.buildRequest([event], credentials, CALLER).body),
    /** Why the stand-in does not take it. */
    refusal: (event: OutgoingEvent) => {
      const request = asReceived(platform.buildRequest([event], credentials, CALLER));
      const context = { nowMs: event.receivedAtMs + 60_000, check: () => 'ok' as const };
      return sandbox.handle(request, context).events[0]?.reason;
    },
  };
}

const without = (...fields: readonly (keyof AppPart)[]): OutgoingEvent => {
  const event = appEvent();
  const app = Object.fromEntries(
    Object.entries(SAMPLE_APP).filter(([field]) => !fields.includes(field as keyof AppPart)),
  );
  return { ...event, app };
};
const nameless = (event: OutgoingEvent): OutgoingEvent => ({ ...event, raw: { clientIp: '203.0.113.7' } });
const android: AppPart = { platform: 'android', id: 'com.example.shop' };

it.each(slugs)('%s takes it whole, and so does its stand-in', (slug) => {
  const { fault, refusal } = of(slug);
  expect(fault(appEvent())).toBeUndefined();
  expect(refusal(appEvent())).toBeUndefined();
  expect(refusal(appEvent(android))).toBeUndefined();
});

describe('the advertising id', () => {
  const leaves = (slug: string, event: OutgoingEvent): boolean => {
    const text = of(slug).request(event).body.toLowerCase();
    return text.includes(SAMPLE_MADID) || text.includes(String(SAMPLE_HASHED.madid));
  };
  const takers = slugs.filter((slug) => leaves(slug, appEvent()) || leaves(slug, appEvent(android)));

  it('reaches those whose interface has a field for it', () => {
    expect(takers).toEqual(
      'amazon google_ads linkedin meta microsoft pinterest reddit s3 snapchat tiktok webhook'.split(' '),
    );
  });

  it.each(slugs)('reaches %s neither without permission of the device nor without ad_storage', (slug) => {
    for (const device of [{}, android])
      for (const tracking of ['not_determined', 'restricted', 'denied'] as const)
        expect(leaves(slug, appEvent({ ...device, tracking })), tracking).toBe(false);
    const refused = appEvent({}, { consent: { ad_storage: 'denied' } });
    expect(leaves(slug, refused)).toBe(false);
    expect(of(slug).request(refused).body).not.toContain(SAMPLE_APP.vendor_id);
    expect(of(slug).request(refused).body).not.toContain(SAMPLE_APP.campaign_ids);
  });
});

describe('Meta', () => {
  const { body, fault } = of('meta');
  it('gets app_data with sixteen facts and two permissions', () => {
    expect(body(appEvent()).data[0]).toMatchObject({
      action_source: 'app',
      user_data: { madid: SAMPLE_MADID },
      app_data: {
        advertiser_tracking_enabled: 1,
        application_tracking_enabled: 1,
        extinfo: SAMPLE_EXTINFO,
        vendor_id: SAMPLE_APP.vendor_id,
        campaign_ids: 'campaign-words',
      },
    });
    const refused = appEvent({ tracking: 'denied' }, { consent: { ad_personalization: 'denied' } });
    expect(body(refused).data[0].app_data).toMatchObject({
      advertiser_tracking_enabled: 0,
      application_tracking_enabled: 0,
    });
    expect(body(appEvent({}, { actionSource: 'website' })).data[0]).not.toHaveProperty('app_data');
  });

  it('is not sent what it would refuse, by the field that is missing', () => {
    expect(fault(without('platform'))).toBe('app.platform');
    expect(fault(without('os_version'))).toBe('app.os_version');
    expect(fault(without('tracking'))).toBe('app.tracking');
    expect(fault({ ...without('platform'), actionSource: 'website' })).toBeUndefined();
  });
});

describe('Snap', () => {
  it('gets it at the address of the app, apart from events of the pixel', () => {
    const { body, request, group } = of('snapchat');
    expect(request(appEvent()).url).toContain(`/v3/${SNAP_APP}/events?`);
    expect(body(appEvent()).data[0]).toMatchObject({
      action_source: 'MOBILE_APP',
      user_data: { madid: SAMPLE_MADID, idfv: SAMPLE_APP.vendor_id },
      app_data: { app_id: '1234567890', advertiser_tracking_enabled: 1, extinfo: SAMPLE_EXTINFO },
    });
    expect(group(appEvent())).not.toBe(group(appEvent({}, { actionSource: 'website' })));
  });

  it('gets none without the id of the app, or without what it requires', () => {
    expect(of('snapchat', { snap_app_id: undefined }).fault(appEvent())).toBe('action_source');
    expect(of('snapchat').fault(without('os_version'))).toBe('app.os_version');
  });
});

describe('TikTok', () => {
  const { body, fault } = of('tiktok');
  it('gets it at an app source, with the ids hashed and what the device allows', () => {
    const [sent] = body(appEvent()).data;
    expect(sent).toMatchObject({
      event: 'Purchase',
      app: { app_id: '1234567890', app_name: 'Shop', app_version: '7.7.1' },
      user: {
        idfa: SAMPLE_HASHED.madid,
        idfv: SAMPLE_APP.vendor_id,
        att_status: 'AUTHORIZED',
        locale: 'en_US',
      },
    });
    expect(sent).not.toHaveProperty('page');
    const { user } = body(appEvent(android)).data[0];
    expect(user).toMatchObject({ gaid: SAMPLE_HASHED.madid, att_status: 'NOT_APPLICABLE' });
    expect(user).not.toHaveProperty('idfv');
  });

  it('has names of its own for what happens in an app', () => {
    const named = (more: Partial<NormalizedEvent>) => body(appEvent({}, more)).data[0].event;
    expect(named({ name: 'CompleteRegistration' })).toBe('Registration');
    expect(named({ name: 'InitiateCheckout' })).toBe('Checkout');
    expect(named({ name: 'AppInstall' })).toBe('InstallApp');
    expect(named({ name: 'Custom', customName: 'launch_app' })).toBe('LaunchAPP');
  });

  it('gets none at a source of another kind, or without what it requires', () => {
    expect(of('tiktok', {}).fault(appEvent())).toBe('action_source');
    expect(fault(appEvent({}, { actionSource: 'website' }))).toBe('action_source');
    expect(fault(without('id'))).toBe('app.id');
    expect(fault(without('tracking'))).toBe('app.tracking');
    expect(fault({ ...without('tracking'), app: android })).toBeUndefined();
    expect(fault(nameless(without('platform')))).toBe('app.platform');
  });
});

describe('Google Analytics', () => {
  const { body, request, fault, group } = of('ga4');
  it('gets it in the stream of the app, with the id of the installation in the place of a client', () => {
    const { searchParams } = new URL(request(appEvent()).url);
    expect(Object.fromEntries(searchParams)).toEqual({
      firebase_app_id: '1:1234567890:android:321abc456def7890',
      api_secret: 'sandbox_app_secret_0123456789',
    });
    expect(request(appEvent()).secrets).toEqual(['sandbox_app_secret_0123456789']);
    expect(body(appEvent())).toMatchObject({ app_instance_id: SAMPLE_APP.instance_id });
    expect(body(appEvent())).not.toHaveProperty('client_id');
    expect(group(appEvent())).not.toBe(group(appEvent({ instance_id: 'another' })));
  });

  it('gets it in the stream of the web where the connection has no other', () => {
    const web = of('ga4', { firebase_app_id: undefined, app_api_secret: undefined });
    expect(web.request(appEvent()).url).toContain('measurement_id=');
    expect(web.fault(without('instance_id'))).toBeUndefined();
    expect(fault(without('instance_id'))).toBe('app.instance_id');
    expect(() => of('ga4', { app_api_secret: undefined })).toThrow('or neither');
  });
});

describe('the others', () => {
  it('get the id under the name that their interface has for it', () => {
    expect(of('google_ads').body(appEvent()).events[0].adIdentifiers).toEqual({
      mobileDeviceId: SAMPLE_MADID,
    });
    expect(of('google_ads').body(appEvent({}, { actionSource: 'website' })).events[0]).not.toHaveProperty(
      'adIdentifiers',
    );
    const aid = { idType: 'GOOGLE_AID', idValue: SAMPLE_MADID };
    expect(of('linkedin').body(appEvent(android)).elements[0].user.userIds).toContainEqual(aid);
    expect(of('linkedin').body(appEvent()).elements[0].user.userIds).not.toContainEqual(aid);
  });

  it('are told the kind of device by the event before its user agent', () => {
    expect(of('amazon').body(appEvent(android)).events[0].eventDescription.eventSource).toBe('ANDROID');
    expect(of('microsoft').body(appEvent(android)).data[0].userData).toMatchObject({ gaid: SAMPLE_MADID });
    expect(of('reddit').body(appEvent(android)).data.events[0].user).toMatchObject({
      aaid: SAMPLE_HASHED.madid,
    });
    expect(of('pinterest').body(appEvent(android)).data[0]).toMatchObject({
      action_source: 'app_android',
      app_id: 'com.example.shop',
      app_name: 'Shop',
      app_version: '7.7.1',
      device_brand: 'Apple',
      device_carrier: 'TMobile',
      device_model: 'iPhone17,1',
      os_version: '18.1',
      language: 'en',
    });
    expect(of('pinterest').fault(nameless(without('platform')))).toBe('app.platform');
  });
});
