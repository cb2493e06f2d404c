import { helpdeskFuzz } from './helpdesk-fuzz.suite.ts';

helpdeskFuzz(60_000);
