// Goal: a text that is written outlives the tab, belongs to one person, and is not kept for ever. Method: storage in memory.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetTexts, keepText, keptText, openTexts } from './kept-texts.ts';

class FakeChannel {
  addEventListener(): void {}
}

/** As browsers have it: its keys are its own. */
function storageInMemory(charsMax = 5_000_000): Storage {
  const store: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => store[key] ?? null,
    setItem: (key: string, value: string) => {
      if (Object.values(store).join('').length + value.length > charsMax) throw new Error('full');
      store[key] = value;
    },
    removeItem: (key: string) => Reflect.deleteProperty(store, key),
  };
  return new Proxy(store, {
    get: (_target, name) => methods[name as keyof typeof methods],
  }) as unknown as Storage;
}

const DAY_MS = 86_400_000;

describe('a text on this device', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
    vi.stubGlobal('localStorage', storageInMemory());
    vi.stubGlobal('BroadcastChannel', FakeChannel);
    openTexts('ada@example.com');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is there for its person for seven days', () => {
    keepText('millrace.draft.1', 'ada@example.com', { reply: 'Hello' });
    vi.advanceTimersByTime(7 * DAY_MS);
    openTexts('ada@example.com');
    expect(keptText('millrace.draft.1')).toEqual({ reply: 'Hello' });
    vi.advanceTimersByTime(1);
    expect(keptText('millrace.draft.1')).toBeNull();
    openTexts('ada@example.com');
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('is gone when another person signs in, and when its person signs out, also from a tab that goes on', () => {
    keepText('millrace.draft.1', 'ada@example.com', 'hers');
    localStorage.setItem('millrace.theme', 'dark');
    openTexts('ada@example.com.evil');
    expect(Object.keys(localStorage)).toEqual(['millrace.theme']);
    keepText('millrace.typed.2', 'eve@example.com', 'theirs');
    forgetTexts();
    keepText('millrace.typed.2', 'eve@example.com', 'typed on');
    expect(Object.keys(localStorage)).toEqual(['millrace.theme']);
  });

  it('makes room for newer ones', () => {
    for (let n = 0; n < 150; n++) {
      keepText(`millrace.draft.${n}`, 'ada@example.com', 'text');
      vi.advanceTimersByTime(1);
    }
    openTexts('ada@example.com');
    expect(Object.keys(localStorage).length).toBe(100);
    expect([keptText('millrace.draft.49'), keptText('millrace.draft.50')]).toEqual([null, 'text']);
    keepText('millrace.draft.large', 'ada@example.com', 'x'.repeat(999_000));
    openTexts('ada@example.com');
    expect(JSON.stringify(localStorage).length).toBeLessThan(1_100_000);
  });

  it('has room where only what is old fills the storage, and none breaks the page where nothing fits', () => {
    vi.stubGlobal('localStorage', storageInMemory(300));
    keepText('millrace.draft.1', 'ada@example.com', 'x'.repeat(200));
    keepText('millrace.draft.1', 'ada@example.com', null);
    vi.advanceTimersByTime(8 * DAY_MS);
    keepText('millrace.draft.2', 'ada@example.com', 'y'.repeat(200));
    expect(keptText('millrace.draft.2')).toBe('y'.repeat(200));
    keepText('millrace.draft.3', 'ada@example.com', 'z'.repeat(200));
    expect(keptText('millrace.draft.3')).toBeNull();
  });
});
