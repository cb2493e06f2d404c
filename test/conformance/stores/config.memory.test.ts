import { createMemoryConfig, createMemoryDataKeys } from '../../support/memory/config-admin.ts';
import { configConformance } from './config.suite.ts';

configConformance('memory', async () => ({ config: createMemoryConfig(), dataKeys: createMemoryDataKeys() }));
