import { helpdeskFuzz } from './helpdesk-fuzz.suite.ts';

helpdeskFuzz(3_000);
