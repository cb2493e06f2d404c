import { createMemoryReplayStore } from '../../support/memory/replay-store.ts';
import { replayStoreConformance } from './replay-store.suite.ts';

const plans = createMemoryReplayStore();
replayStoreConformance('memory', async () => plans);
