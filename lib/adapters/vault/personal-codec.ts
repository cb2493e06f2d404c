// What is personal about one event as bytes, before they are encrypted: ciphertext does not compress. The identity digests
// are raw bytes beside the text, and the one of an advertising id that is there itself is made again from it.
import { hash } from 'node:crypto';
import { type PackFormat, packJson, unpackJson } from '../../core/packing/packed-json.ts';
import type { HashedIdentity, RawIdentity } from '../../events/domain/identity/identity.ts';
import type { PersonalPart } from '../../events/domain/normalized-event.ts';
import { packHashed, unpackHashed } from './hashed-codec.ts';

/** Format and dictionary belong together for ever; another dictionary is another format. */
const PERSONAL: PackFormat = {
  format: 1,
  dictionary: Buffer.from(
    [
      '"subscriptionId":"fbLoginId":"leadId":"anonId":"ctwaClid":"madid":"region":"externalId":"lastName":"firstName":"email":"phone":"+1@gmail.com',
      '"gbraid":"wbraid":"ttp":"sc_click_id":"sc_cookie1":"epik":"li_fat_id":"rdt_cid":"rdt_uuid":"twclid":"msclkid":"kx":"gclid":"ttclid":"search_string":',
      '?utm_source=facebook&utm_medium=cpc&utm_campaign=google?gclid=&fbclid=IwAR/checkout/thank-you?order=/products/collections/cart',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      // A whole purchase, in the order a part is written: its matches span the values they surround.
      '{"eventSourceUrl":"https://www.","referrerUrl":"https://","customData":{"":"","raw":{"clientIp":"","userAgent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36","browserIds":{"fbp":"fb.1.17","fbc":"fb.1.17.IwA","ga_client_id":".17"}},"plaintext":{"city":"","region":"CA","postalCode":"","country":"US","externalId":""},"h":":.....:::..:..;::.;.:;|:|c|f,ca,us"}',
    ].join(''),
  ),
};

interface PackedPart extends Omit<PersonalPart, 'hashed' | 'raw' | 'plaintext'> {
  readonly raw?: RawIdentity;
  readonly plaintext?: PersonalPart['plaintext'];
  readonly h?: string;
}

export function packPersonal({ hashed, raw, plaintext, ...rest }: PersonalPart): Uint8Array {
  const { text, digests } = packHashed(withoutDerived(hashed, raw));
  const part: PackedPart = {
    ...rest,
    ...(isEmpty(raw) ? {} : { raw }),
    ...(isEmpty(plaintext) ? {} : { plaintext }),
    ...(text === '' ? {} : { h: text }),
  };
  return packJson(PERSONAL, part, digests);
}

export function unpackPersonal(packed: Uint8Array): PersonalPart {
  const { value, digestAt } = unpackJson(PERSONAL, packed);
  const { h = '', raw = {}, plaintext = {}, ...rest } = value as PackedPart;
  return { ...rest, hashed: withDerived(unpackHashed(h, digestAt), raw), raw, plaintext };
}

function withoutDerived(hashed: HashedIdentity, raw: RawIdentity): HashedIdentity {
  if (raw.madid === undefined || hashed.madid !== hash('sha256', raw.madid, 'hex')) return hashed;
  const { madid: _, ...rest } = hashed;
  return rest;
}

function withDerived(hashed: HashedIdentity, raw: RawIdentity): HashedIdentity {
  if (raw.madid === undefined || hashed.madid !== undefined) return hashed;
  return { ...hashed, madid: hash('sha256', raw.madid, 'hex') };
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
