// What mail programs put around what they quote. Guarantees: each pattern reads a line of bounded length once.

/** Mail programs write no longer attribution lines. */
const LINE_MAX = 400;
/** An attribution is wrapped over so many lines at most. */
const ATTRIBUTION_LINES_MAX = 4;

/** Above a quote: "On … wrote:". How each begins and ends. */
const ATTRIBUTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^on\s/i, /\bwrote\s?:$/i],
  [/^(?:am|den)\s/i, /\b(?:schrieb|geschrieben)\b[^:]{0,200}:$/i],
  [
    /^.{1,200}<[^<>\s]+@[^<>\s]+>\s/,
    /\b(?:schrieb|wrote|escribió|a écrit|ha scritto|skrev|schreef)\b.{0,80}:$/i,
  ],
  [/^le\s/i, /\bécrit\s?:$/i],
  [/^el\s/i, /\bescribi(?:ó|eron)\s?:$/i],
  [/^(?:il|in data)\s/i, /\bscritto\s?:$/i],
  [/^(?:em|a)\s/i, /\bescreveu\s?:$/i],
  [/^op\s/i, /\b(?:schreef|geschreven)\b[^:]{0,200}:$/i],
  [/^(?:den|på|pe|ma|ti|ke|to|la|su)\s/i, /\b(?:skrev|kirjoitti)\b[^:]{0,200}:$/i],
  [/^(?:w dniu|dnia|pon|wt|śr|czw|pt|sob|niedz)/i, /(?:pisze|napisał(?:\(a\)|a)?)\s?:$/i],
  [/^(?:\d{1,2}|пн|вт|ср|чт|пт|сб|вс|on)/i, /(?:пишет|писал(?:\(а\)|а)?|написал(?:\(а\)|а)?)\s?:$/i],
  [/^(?:20\d\d|\d{1,2})/, /<[^<>\s]+@[^<>\s]+>\s?[:：]$/],
  [/^20\d\d/, /(?:のメール|のメッセージ|が書きました|さんは書きました|작성)\s?[:：]$/],
  [/^(?:在|于|於)/, /(?:写道|寫道|写到|來信)\s?[:：]$/],
];

/** A time or an address shows that the line is an attribution and not a sentence of the writer. */
const WHEN = /\d{1,2}[:.h時点]\s?\d{2}|20\d\d/;
const WHO = /[<[(][^<>[\]()\s]+@[^<>[\]()\s]+[>\])]|\S@\S/;

/** The line at which an attribution that begins here ends. `isSure`: people do not write such a line by hand. */
export function attributionEnd(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly isSure: boolean } | null {
  const first = (lines[start] ?? '').trim();
  if (first === '' || first.length > LINE_MAX) return null;
  const begins = ATTRIBUTIONS.filter(([begin]) => begin.test(`${first} `));
  if (begins.length === 0) return null;
  let text = '';
  for (let index = start; index < Math.min(start + ATTRIBUTION_LINES_MAX, lines.length); index++) {
    const line = (lines[index] ?? '').trim();
    if (line === '' || line.startsWith('>') || text.length + line.length > LINE_MAX) return null;
    text = text === '' ? line : `${text} ${line}`;
    const full = text;
    if (begins.some(([, end]) => end.test(full)))
      return { end: index + 1, isSure: WHEN.test(full) && (WHO.test(full) || /\d{1,2}[:.]\d{2}/.test(full)) };
  }
  return null;
}

const ORIGINAL =
  /^[-_*\s]{2,20}(?:original message|original appointment|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|oprindelig meddelelse|ursprungligt meddelande|alkuperäinen viesti|wiadomość oryginalna|исходное сообщение|原始邮件|元のメッセージ|original メッセージ|원본 메시지)[-_*\s]{2,20}$/i;

/** "-----Original Message-----" and its like. */
export const isSeparator = (line: string): boolean => line.length <= LINE_MAX && ORIGINAL.test(line.trim());

/** From, then two of sent, to, subject, as Outlook writes them in its own language. */
const FROM =
  /^\*?(?:from|von|de|da|van|från|fra|lähettäjä|od|от|差出人|发件人|寄件者|보낸 사람)\s?\*?[:：]\*?\s*\S/i;
const FIELDS =
  /^\*?(?:sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|envoyé le|à|objet|enviado|enviado el|fecha|para|asunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|отправлено|кому|тема|дата|送信日時|日時|宛先|件名|发送时间|收件人|主题|寄件日期|收件者|主旨|보낸 날짜|받는 사람|제목)\s?\*?[:：]\*?\s*\S/i;

export function isHeaderBlock(lines: readonly string[], start: number): boolean {
  const first = (lines[start] ?? '').trim();
  if (first.length > LINE_MAX || !FROM.test(first)) return false;
  const next = lines
    .slice(start + 1, start + 9)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return next.slice(0, 4).filter((line) => line.length <= LINE_MAX && FIELDS.test(line)).length >= 2;
}

const FOOTERS =
  /^(?:sent (?:from|via|with) (?:my |outlook|mail|yahoo|samsung|proton|gmail|the )|get outlook for |von meinem .{2,40} gesendet|gesendet (?:von|mit|aus|über) |diese nachricht wurde von meinem |envoyé (?:de|depuis|à partir de|avec) |télécharger outlook |enviado (?:desde|de|do|a partir) |inviato (?:da|dal|con) |verzonden (?:vanaf|met|via) |verstuurd vanaf |skickat från |sendt fra |lähetetty |wysłane? z |отправлено (?:с|из) |(?:.{1,30})から送信|发自我的|從我的|나의 .{1,20}에서 보냄)/i;

/** What a telephone adds below an answer. */
export const isMobileFooter = (line: string): boolean => line.length <= 100 && FOOTERS.test(line);
