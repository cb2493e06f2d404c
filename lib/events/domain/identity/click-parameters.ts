// In which parameter of a page's address each platform's click arrives: the one list of the pixel, which reads it in the
// browser, and of normalization, which reads it from the address. `parameter`, or `parameter:key` where `browser_ids` has
// another name. Text, in the order that compresses best, because the pixel carries it. `fbclid` is apart: an `fbc` is made of
// it and of the time of the click.
export const CLICK_PARAMETERS =
  'gclid,gbraid,li_fat_id,irclickid,ttclid,tblci,epik,wbraid,rdt_cid,twclid,OutbrainClickId:ob_click_id,awc,oppref,ScCid:sc_click_id,_kx:kx,msclkid';
/** Of them; written out, because the pixel carries it. */
export const CLICK_PARAMETER_COUNT = 16;
