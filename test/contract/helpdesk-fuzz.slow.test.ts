import { helpdeskFuzz } from './helpdesk-fuzz.suite.ts';

helpdeskFuzz(30_000);
