// What kind of device an app event comes from: some vendors keep the kinds apart.
import type { AppPlatform } from '../domain/event/app.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';

const IOS = /\b(?:iPhone|iPad|iPod|iOS|CFNetwork|Darwin)\b/i;
const ANDROID = /\b(?:Android|okhttp|Dalvik)\b/i;

/** As the event says, else as its user agent does; undefined where neither says it. */
export function deviceKind({ app, raw }: Pick<NormalizedEvent, 'app' | 'raw'>): AppPlatform | undefined {
  if (app?.platform !== undefined) return app.platform;
  const userAgent = raw.userAgent ?? '';
  if (ANDROID.test(userAgent)) return 'android';
  return IOS.test(userAgent) ? 'ios' : undefined;
}
