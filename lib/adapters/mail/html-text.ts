// The text of an HTML mail, made with html-to-text: quotes are marked line by line, as in a text mail. Nothing is loaded.
import { convert } from 'html-to-text';

const NODES_MAX = 20_000;
const DEPTH_MAX = 200;

export function htmlToText(html: string): string {
  const text = convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 1_000_000, maxDepth: DEPTH_MAX, maxChildNodes: NODES_MAX, ellipsis: '' },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, noAnchorUrl: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'title', format: 'skip' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'h3', options: { uppercase: false } },
      { selector: 'h4', options: { uppercase: false } },
      { selector: 'h5', options: { uppercase: false } },
      { selector: 'h6', options: { uppercase: false } },
      // Cells of a row stand apart.
      { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
      { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ],
  });
  // A space that no line may break at is a space.
  return text.replaceAll('\u00a0', ' ');
}
