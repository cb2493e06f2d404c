import { createMemoryDailyBudget, createMemoryOneTimeStore } from '../../support/memory/assistant-stores.ts';
import { assistantConformance } from './assistant-stores.suite.ts';

const stores = { confirmations: createMemoryOneTimeStore(), perDay: createMemoryDailyBudget() };

assistantConformance('memory', () => stores);
