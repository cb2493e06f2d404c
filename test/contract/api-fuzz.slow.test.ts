import { apiFuzz } from './api-fuzz.suite.ts';

apiFuzz(60_000);
