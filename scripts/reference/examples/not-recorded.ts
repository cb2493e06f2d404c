// Operations of which no example is recorded, and why: all there are. A test fails for another one, and for one that is recorded.

const DOCUMENT = 'Its answer is the document that the example would stand in.';
const LIBRARY = 'Its answer is a file of Swagger UI, of hundreds of kilobytes.';

/** By the id of the operation. */
export const NOT_RECORDED: Readonly<Record<string, string>> = {
  aiChat: 'What a language model answers is not the same twice; its route states examples of its own.',
  getPixel: 'Its answer is the browser SDK, of which a reader learns nothing.',
  getOpenApi: DOCUMENT,
  getDocsScript: LIBRARY,
  getDocsStyle: LIBRARY,
  getHelpdeskOpenApi: DOCUMENT,
  getHelpdeskDocsScript: LIBRARY,
  getHelpdeskDocsStyle: LIBRARY,
};
