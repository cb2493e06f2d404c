// One JSON value as bytes: a format number, deflated text, and SHA-256 digests beside it as raw bytes (hex neither
// compresses nor fits). Guarantees: what was packed under a format is read by the packer of that format and no other.
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 3;
/** What zlib allocates at a time: its own 16 KiB are most of the time an ordinary event takes. */
const CHUNK_BYTES = 4_096;
const HEADER_BYTES = 1 + LENGTH_BYTES;

export interface PackFormat {
  /** 0..255; belongs to one dictionary for ever: stored bytes are read with it. */
  readonly format: number;
  /** Deflate finds the rarest first and the most common last: zlib prefers short distances. */
  readonly dictionary: Uint8Array;
}

export interface Unpacked {
  readonly value: unknown;
  /** Lowercase hex of the i-th digest. */
  readonly digestAt: (index: number) => string;
}

/** One JSON value, and digests that belong to it. */
export function packJson(
  { format, dictionary }: PackFormat,
  value: unknown,
  digests: readonly Uint8Array[] = [],
): Uint8Array {
  const deflated = deflateRawSync(JSON.stringify(value), { dictionary, level: 9, chunkSize: CHUNK_BYTES });
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(format, 0);
  header.writeUIntBE(deflated.byteLength, 1, LENGTH_BYTES);
  return Buffer.concat([header, deflated, ...digests]);
}

/** Its first byte; undefined where there is none. */
export const packedFormat = (packed: Uint8Array): number | undefined => packed[0];

/** Throws on bytes of another format. */
export function unpackJson({ format, dictionary }: PackFormat, packed: Uint8Array): Unpacked {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes.readUInt8(0) !== format) throw new Error(`unknown encoding ${bytes.readUInt8(0)}`);
  const digestsAt = HEADER_BYTES + bytes.readUIntBE(1, LENGTH_BYTES);
  const value = unpackText({ format, dictionary }, bytes.subarray(HEADER_BYTES, digestsAt));
  return {
    value,
    digestAt: (index) =>
      bytes.toString('hex', digestsAt + index * DIGEST_BYTES, digestsAt + (index + 1) * DIGEST_BYTES),
  };
}

/** The errors of zlib and of the parser say nothing to a reader of the log, and the parser's may quote the text. */
function unpackText({ format, dictionary }: PackFormat, deflated: Uint8Array): unknown {
  try {
    return JSON.parse(inflateRawSync(deflated, { dictionary, chunkSize: CHUNK_BYTES }).toString());
  } catch {
    throw new Error(`unknown encoding: no JSON under the dictionary of format ${format}`);
  }
}
