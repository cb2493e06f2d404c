// How data keys are replaced: decision 0071.
import type { WrappedDataKey } from './data-keys.ts';

/** For this long a process may seal under a key that was replaced. */
export const DATA_KEYS_KEPT_MS = 300_000;

/** Of all merchants. */
export interface Rotation {
  /** The wrapping keys that data keys are sealed under from then on. */
  readonly generation: number;
  readonly beganAtMs: number;
  /** Null while it is under way. */
  readonly endedAtMs: number | null;
}

/** Of one merchant. */
export interface KeyRotation {
  /** The newest first; that one is replaced, or about to be. */
  readonly former: readonly WrappedDataKey[];
  /** When the last process could read the replaced key as the merchant's own; null before. */
  readonly switchedAtMs: number | null;
  /** When nothing was left that a former key sealed and that does not expire; null before. */
  readonly resealedAtMs: number | null;
  readonly version: number;
}

export interface KeyRotationStore {
  /** The last one; null where there was none. */
  rotation(): Promise<Rotation | null>;
  /** The one under way, or the next. */
  beginRotation(atMs: number): Promise<Rotation & { readonly isNew: boolean }>;
  /** False where another has begun since. */
  endRotation(generation: number, atMs: number): Promise<boolean>;
  /** The data key where it is made, which decides, and then how far its replacement is. */
  keyOf(
    merchantId: string,
  ): Promise<{ readonly key: WrappedDataKey | null; readonly rotation: KeyRotation | null }>;
  /** False where it is not as it was seen: null, or its version. */
  putKeyRotation(
    merchantId: string,
    seen: KeyRotation | null,
    next: Omit<KeyRotation, 'version'>,
  ): Promise<boolean>;
  /** In every place that still has `from`. Of several callers one decides. */
  replaceKey(merchantId: string, from: WrappedDataKey, to: WrappedDataKey): Promise<void>;
  /** Each that can be read. */
  dayKeys(merchantId: string): Promise<readonly { readonly day: string; readonly wrapped: string }[]>;
  /** False where it is another one, or none any more. */
  rewrapDay(merchantId: string, day: string, from: string, to: string): Promise<boolean>;
}

/** What seals again. */
export interface RotatedKeys {
  /** One that is stored nowhere yet. */
  newKey(merchantId: string): Promise<WrappedDataKey>;
  /** Whether it is sealed under wrapping keys of this generation, or a later one. */
  isSince(key: WrappedDataKey, generation: number): boolean;
  resealing(merchantId: string): Promise<Reseal>;
}

/** `current`: the merchant's key of now sealed it. `unreadable`: none of its keys did. */
export type Reseal = (
  context: string,
  sealed: string,
) => { readonly sealed: string } | 'current' | 'unreadable';
