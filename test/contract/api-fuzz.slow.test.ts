import { apiFuzz } from './api-fuzz.suite.ts';

apiFuzz(200_000);
