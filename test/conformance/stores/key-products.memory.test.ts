import { memoryKeys } from '../../support/memory/tenancy-stores.ts';
import { keyProductsConformance } from './key-products.suite.ts';

const items = { keys: new Map(), places: new Map() };
keyProductsConformance('memory', () => ({ evk: memoryKeys('evk', items), hdk: memoryKeys('hdk', items) }));
