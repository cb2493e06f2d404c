/** SES takes 40 MB at most; what is larger than this is mostly attachments. */
export const MAIL_MAX_BYTES = 30 * 1_048_576;
/** In which the head of a mail ends, where it is one. */
export const HEAD_MAX_BYTES = 262_144;
