import { createMemoryConfig, createMemoryDataKeys } from '../../support/memory/config-stores.ts';
import { createMemoryDayKeys } from '../../support/memory/event-vault.ts';
import { configConformance } from './config.suite.ts';
import { dayKeyConformance } from './day-keys.suite.ts';
import { tenancyConformance } from './tenancy.suite.ts';

configConformance('memory', async () => ({ config: createMemoryConfig(), dataKeys: createMemoryDataKeys() }));

tenancyConformance('memory', async () => createMemoryConfig());

const dayKeys = createMemoryDayKeys();
dayKeyConformance('memory', () => dayKeys);
