import { apiFuzz } from './api-fuzz.suite.ts';

apiFuzz(30_000);
