// What a vendor's answer says about the end of what it was asked by.
import { redactMessage } from '#lib/events/platforms/redact.ts';

/**
 * Lowercase: RFC 9745, RFC 8594, and Meta's, of a version that it moves calls from by itself: its name and words are those that
 * public clients handle, UNVERIFIED at Meta. No page of LinkedIn or Klaviyo names one.
 */
const NAMES = ['deprecation', 'sunset', 'x-ad-api-version-warning'] as const;
/** RFC 9111, 5.5: of other codes caches speak. */
const WARNING = /^299 /;
const SAID_MAX_CHARS = 200;

/** `name: value`; undefined where it says nothing. */
export function deprecationIn(headers: Readonly<Record<string, string>>): string | undefined {
  const name =
    NAMES.find((one) => headers[one]) ?? (WARNING.test(headers.warning ?? '') ? 'warning' : undefined);
  return name && redactMessage(`${name}: ${headers[name]}`)?.slice(0, SAID_MAX_CHARS);
}
