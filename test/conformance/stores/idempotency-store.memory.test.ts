import { createMemoryIdempotencyStore } from '../../support/memory/idempotency-store.ts';
import { idempotencyConformance } from './idempotency-store.suite.ts';

idempotencyConformance('memory', createMemoryIdempotencyStore);
