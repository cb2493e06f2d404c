import { apiFuzz } from './api-fuzz.suite.ts';

apiFuzz(3_000);
