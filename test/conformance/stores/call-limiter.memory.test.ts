import { createMemoryCallLimiter } from '../../support/memory/call-limiter.ts';
import { callLimiterConformance } from './call-limiter.suite.ts';

callLimiterConformance('memory', createMemoryCallLimiter);
