// Randomness from a seed: the same seed gives the same run, on every machine.
import type { Random } from '#lib/core/ports/clock.ts';

export interface SeededRandom extends Random {
  /** Integer in [0, below). */
  below(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** An independent stream that depends on this seed and on `label` only, not on what was drawn before. */
  fork(label: string): SeededRandom;
}

/** sfc32 (PractRand's small fast counter), seeded by FNV-1a of the seed's text. */
export function createSeededRandom(seed: number | string): SeededRandom {
  const text = String(seed);
  const draw = sfc32(fnv(text, 1), fnv(text, 2), fnv(text, 3));
  const next = () => draw() / 0x1_0000_0000;
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new RangeError('nothing to pick from');
      return from[below(from.length)] as T;
    },
    fork: (label) => createSeededRandom(`${text}/${label}`),
    uuidv7: (nowMs) => uuidv7(nowMs, draw),
  };
}

function sfc32(first: number, second: number, third: number): () => number {
  let a = first;
  let b = second;
  let c = third;
  let counter = 1;
  const draw = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i++) draw();
  return draw;
}

function fnv(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}

function uuidv7(nowMs: number, draw: () => number): string {
  const time = Math.trunc(nowMs).toString(16).padStart(12, '0');
  const a = (draw() & 0xfff).toString(16).padStart(3, '0');
  const b = ((draw() & 0x3fff) | 0x8000).toString(16);
  const c = draw().toString(16).padStart(8, '0') + (draw() & 0xffff).toString(16).padStart(4, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-${b}-${c}`;
}
