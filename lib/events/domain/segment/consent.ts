// Consent in a message of Segment's or RudderStack's libraries → our four signals. Consent managers choose their
// category names; known names are in one table, from which docs/reference/segment.md is generated. Guarantees: a
// refusal is never ignored. A refusal under an unknown or unreadable name denies advertising and analytics, and is
// reported by name; of two statements about one signal the stricter holds; an unknown name never grants.
import { CONSENT_SIGNALS, type ConsentSignal, type ConsentState } from '../event/consent.ts';
import { addName } from '../event/input.ts';
import { tcfConsent } from './tcf.ts';

export interface ConsentCategory {
  /** Compared without case and punctuation. */
  readonly names: readonly string[];
  readonly signals: readonly ConsentSignal[];
}

const ADVERTISING: readonly ConsentSignal[] = ['ad_user_data', 'ad_personalization', 'ad_storage'];

/**
 * `C0001` to `C0005` are OneTrust's defaults for a new site; the other names are the defaults of Segment, Cookiebot,
 * Osano, Usercentrics and Google's Consent Mode.
 */
export const CONSENT_CATEGORIES: readonly ConsentCategory[] = [
  {
    names: [
      'advertising',
      'advertisement',
      'advertisements',
      'ads',
      'targeting',
      'targeting and advertising',
      'marketing',
      'C0004',
      'social',
      'social media',
      'C0005',
      'data sharing',
      'sale of data',
      'sale or sharing',
    ],
    signals: ADVERTISING,
  },
  ...ADVERTISING.map((signal) => ({ names: [signal], signals: [signal] })),
  { names: ['personalization', 'personalisation'], signals: ['ad_personalization'] },
  {
    names: [
      'analytics',
      'analytics_storage',
      'analytical',
      'performance',
      'performance and analytics',
      'statistics',
      'statistical',
      'measurement',
      'C0002',
    ],
    signals: ['analytics'],
  },
  {
    names: [
      'necessary',
      'strictly necessary',
      'essential',
      'required',
      'security',
      'security_storage',
      'C0001',
      'functional',
      'functionality',
      'functionality_storage',
      'preferences',
      'personalization_storage',
      'C0003',
    ],
    signals: [],
  },
];

const SIGNALS_OF: ReadonlyMap<string, readonly ConsentSignal[]> = new Map(
  CONSENT_CATEGORIES.flatMap(({ names, signals }) => names.map((name) => [folded(name), signals] as const)),
);

type Json = Readonly<Record<string, unknown>>;

export interface SegmentConsent {
  /** Signal → value and path. A value that is neither yes nor no is kept, for the schema to refuse. */
  readonly signals: ReadonlyMap<ConsentSignal, { readonly path: string; readonly value: unknown }>;
  /** Unknown names that were refused. */
  readonly unknown: readonly string[];
}

export function segmentConsent(context: Json): SegmentConsent {
  const said = new Said();
  const consent = isObject(context.consent) ? context.consent : {};
  said.categories('context.consent.categoryPreferences', consent.categoryPreferences);
  const managed = isObject(context.consentManagement) ? context.consentManagement : {};
  said.listed('context.consentManagement.allowedConsentIds', managed.allowedConsentIds, true);
  said.listed('context.consentManagement.deniedConsentIds', managed.deniedConsentIds, false);
  said.tcf('context.consent.tcString', consent.tcString);
  const device = isObject(context.device) ? context.device : {};
  if (stateOf(device.adTrackingEnabled) === 'denied')
    said.add('context.device.adTrackingEnabled', ADVERTISING, 'denied');
  return said;
}

class Said implements SegmentConsent {
  readonly signals = new Map<ConsentSignal, { readonly path: string; readonly value: unknown }>();
  readonly unknown: string[] = [];

  add(path: string, signals: readonly ConsentSignal[], value: unknown): void {
    for (const signal of signals) {
      const known = this.signals.get(signal);
      const isStricter = value === 'denied' || known?.value === 'granted';
      if (known === undefined || (known.value !== 'denied' && isStricter))
        this.signals.set(signal, { path, value });
    }
  }

  /** Refused under an unknown name: denies every signal. */
  refuse(path: string, name: string): void {
    addName(this.unknown, '', name);
    this.add(path, CONSENT_SIGNALS, 'denied');
  }

  categories(path: string, preferences: unknown): void {
    if (isAbsent(preferences)) return;
    if (!isObject(preferences)) this.refuse(path, 'categoryPreferences');
    else
      for (const [name, value] of Object.entries(preferences)) this.category(`${path}.${name}`, name, value);
  }

  category(path: string, name: string, value: unknown): void {
    if (isAbsent(value)) return;
    const state = stateOf(value);
    const signals = SIGNALS_OF.get(folded(name));
    if (signals !== undefined) this.add(path, signals, state ?? value);
    else if (state !== 'granted') this.refuse(path, name);
  }

  /** RudderStack's: the ids of allowed and of refused categories, as a list or as the keys of an object. */
  listed(path: string, ids: unknown, isAllowed: boolean): void {
    if (isAbsent(ids)) return;
    const names = isObject(ids) ? Object.keys(ids) : Array.isArray(ids) ? ids : [ids];
    for (const name of names) this.category(path, String(name), isAllowed);
  }

  tcf(path: string, text: unknown): void {
    if (isAbsent(text)) return;
    const denied = typeof text === 'string' ? tcfConsent(text) : null;
    if (denied === null) this.refuse(path, 'tcString');
    else this.add(path, denied, 'denied');
  }
}

function stateOf(value: unknown): ConsentState | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'granted' || word === 'true') return 'granted';
  return word === false || word === 'denied' || word === 'false' ? 'denied' : undefined;
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
