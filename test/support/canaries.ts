// Values that occur nowhere else, of every kind that is personal, and a search that finds them in whatever dress: another
// case, percent-encoded, base64 at any offset, hexadecimal, JSON-escaped, deflated, as their SHA-256.
import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { unpackBody, unpackClear } from '../../lib/adapters/dynamodb/events/rows/event-codec.ts';
import { unpackPersonal } from '../../lib/adapters/vault/personal-codec.ts';

/** An event as a merchant would send it, every personal field of it a canary. `mark`: letters and digits, once each. */
export function canaryEvent(mark: string, timeSec: number) {
  const number = Number.parseInt(hash('sha256', mark, 'hex').slice(0, 6), 16);
  const digits = String(10_000_000 + (number % 80_000_000));
  return {
    event_id: `order-${mark}`,
    event_name: 'Purchase',
    event_time: timeSec,
    order_id: `order-${mark}`,
    value: 12.5,
    currency: 'GBP',
    items: [{ id: 'sku-1', quantity: 1, price: 12.5 }],
    event_source_url: `https://shop.example/thanks/path${mark}page?email=query${mark}%40url-canary.example&lang=en`,
    referrer_url: `https://shop.example/from/referrer${mark}page`,
    custom_data: {
      note: `custom${mark}note`,
      nested: { deep: [`deep${mark}note`] },
      account: `77${digits}77`,
    },
    app: {
      platform: 'android',
      id: 'com.example.shop',
      os_version: '16',
      tracking: 'authorized',
      vendor_id: `vendor${mark}id`,
      instance_id: `instance${mark}id`,
      campaign_ids: `campaign${mark}ids`,
    },
    action_source: 'website',
    user_data: {
      email: `Mail.${mark}@mail-canary.example`,
      phone: `+4477${digits}`,
      first_name: `Given${letters(mark)}`,
      last_name: `Family${letters(mark)}`,
      city: `Town${letters(mark)}`,
      state: 'ENG',
      zip: `QX${number % 10} ${mark.slice(0, 3)}`,
      country: 'GB',
      gender: 'f',
      date_of_birth: `19${10 + (number % 89)}-0${1 + (number % 9)}-1${number % 10}`,
      customer_id: `Customer${mark}`,
      external_ids: [`Loyalty${mark}`],
      client_ip: `198.18.${number % 200}.${50 + (number % 199)}`,
      user_agent: `Mozilla/5.0 (X11; Linux x86_64) Agent${mark}/1.0 Chrome/141.0.0.0`,
      madid: `${digits}-aaaa-4bbb-8ccc-${digits}dddd`,
      fb_login_id: `fblogin${mark}`,
      lead_id: `lead${mark}`,
      subscription_id: `subscription${mark}`,
      anon_id: `anon${mark}`,
      ctwa_clid: `ctwa${mark}`,
      browser_ids: {
        fbp: `fb.1.1795000000000.fbp${mark}`,
        gclid: `gclid${mark}`,
        ga_client_id: `${digits}.17${digits}`,
      },
    },
  };
}

export type CanaryEvent = ReturnType<typeof canaryEvent>;

const letters = (mark: string): string =>
  mark.replaceAll(/[0-9]/g, (digit) => 'qwrtypsdfg'.charAt(Number(digit)));

/** Kind → values to look for, as sent and as they are normalized. */
export function canariesOf({
  user_data: person,
  custom_data: custom,
  ...event
}: CanaryEvent): Map<string, string[]> {
  const { browser_ids: ids } = person;
  const born = person.date_of_birth.replaceAll('-', '');
  return new Map([
    ['email', [person.email, person.email.replace('.', '')]],
    ['phone', [person.phone, person.phone.slice(1)]],
    ['first name', [person.first_name]],
    ['last name', [person.last_name]],
    ['city', [person.city]],
    ['postal code', [person.zip, person.zip.replace(' ', '')]],
    ['date of birth', [person.date_of_birth, born]],
    ['customer id', [person.customer_id, ...person.external_ids]],
    ['client ip', [person.client_ip]],
    ['user agent', [person.user_agent, person.user_agent.slice(32, 46)]],
    ['advertising id', [person.madid]],
    ['ids of the app', [event.app.vendor_id, event.app.instance_id, event.app.campaign_ids]],
    [
      'login and lead ids',
      [person.fb_login_id, person.lead_id, person.subscription_id, person.anon_id, person.ctwa_clid],
    ],
    ['browser ids', [ids.fbp, ids.gclid, ids.ga_client_id]],
    ['e-mail in a URL', [new URL(event.event_source_url).searchParams.get('email') ?? '']],
    [
      'path of a URL',
      [new URL(event.event_source_url).pathname.slice(8), new URL(event.referrer_url).pathname.slice(6)],
    ],
    ['custom data', [custom.note, custom.nested.deep.join(), custom.account]],
  ]);
}

/** Somewhere to look: `where` names it in a finding. */
export interface Place {
  readonly where: string;
  readonly bytes: Uint8Array;
  /** Bytes of ours: read as such, too. */
  readonly packed?: true;
}

export const textPlace = (where: string, value: unknown): Place => ({
  where,
  bytes: Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
});

/** Every attribute of an item, its name included. */
export function itemPlaces(table: string, item: Readonly<Record<string, unknown>>): Place[] {
  return Object.entries(item).flatMap(([name, value]) =>
    value instanceof Uint8Array
      ? [{ where: `${table}.${name}`, bytes: value, packed: true as const }]
      : [textPlace(`${table}.${name}`, { [name]: value })],
  );
}

/** `<kind> in <where>` for every kind of canary found. */
export function findCanaries(
  canaries: ReadonlyMap<string, readonly string[]>,
  places: readonly Place[],
): string[] {
  const haystacks = [...Map.groupBy(places, ({ where }) => where)].map(([where, same]) => {
    const text = [...new Set(same.flatMap(readings))].join('\n');
    return { where, text, lower: text.toLowerCase() };
  });
  const found = new Set<string>();
  for (const [kind, values] of canaries)
    for (const value of values) {
      const folded = foldedForms(value);
      const exact = exactForms(value);
      for (const { where, lower, text } of haystacks)
        if (folded.some((form) => lower.includes(form)) || exact.some((form) => text.includes(form)))
          found.add(`${kind} in ${where}`);
    }
  return [...found].sort();
}

function readings({ bytes, packed }: Place): string[] {
  const buffer = Buffer.from(bytes);
  return [buffer.toString('latin1'), buffer.toString('utf8'), ...(packed ? inflated(buffer) : [])];
}

/** What any unpacker of ours, and plain inflate, make of the bytes from any of their first positions on. */
function inflated(bytes: Buffer): string[] {
  const readers = [
    (part: Buffer) => inflateRawSync(part).toString(),
    (part: Buffer) => JSON.stringify(unpackBody(part)),
    (part: Buffer) => JSON.stringify(unpackClear(part)),
    (part: Buffer) => JSON.stringify(unpackPersonal(part)),
  ];
  const texts: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, 33); at++)
    for (const read of readers) {
      try {
        texts.push(read(bytes.subarray(at)));
      } catch {
        // Not that.
      }
    }
  return texts;
}

function foldedForms(value: string): string[] {
  const digests = [value, value.toLowerCase(), value.toUpperCase()].map((form) =>
    hash('sha256', form, 'hex'),
  );
  const hex = [value, value.toLowerCase()].map((form) => Buffer.from(form).toString('hex'));
  const spelled = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  return [...spelled.map((form) => form.toLowerCase()), ...digests, ...hex];
}

function exactForms(value: string): string[] {
  return [value, value.toLowerCase()]
    .flatMap((form) => [
      hash('sha256', form, 'binary' as 'hex'),
      // The characters at both ends depend on what stands beside them.
      ...[0, 1, 2].map((offset) => {
        const text = Buffer.from(' '.repeat(offset) + form)
          .toString('base64')
          .replaceAll('=', '');
        return text.slice(offset === 0 ? 0 : 4, -2);
      }),
    ])
    .filter((form) => form.length >= 4);
}
