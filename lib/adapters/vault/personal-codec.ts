// What is personal about one event as bytes, before they are encrypted: ciphertext does not compress. The identity digests
// are raw bytes beside the text, and the one of an advertising id that is there itself is made again from it.
import { hash } from 'node:crypto';
import { packJson, unpackJson } from '../../core/packing/packed-json.ts';
import type { PersonalPart } from '../../events/domain/event/normalized-event.ts';
import type { HashedIdentity, RawIdentity } from '../../events/domain/identity/identity.ts';
import { PERSONAL_FORMAT_1 as PERSONAL } from './dictionaries/format-1.ts';
import { packHashed, unpackHashed } from './hashed-codec.ts';

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
