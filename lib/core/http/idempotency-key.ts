// What a key may be. Beside idempotency.ts, which needs a runtime: documents and clients read this.
export const IDEMPOTENCY_KEY_MAX_CHARS = 255;
