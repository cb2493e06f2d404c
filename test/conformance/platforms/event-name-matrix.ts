// The event catalogue's columns, transcribed cell by cell and independent of the code under test.
// `c:` = sent as a custom event of that name, `-` = not sent, `{name}` = the name as sent.

export const CATALOGUE: Readonly<Record<string, Readonly<Record<string, string>>>> = columns(
  ['meta', 'ga4', 'tiktok'],
  `
PageView             | PageView             | page_view            | Pageview
ViewContent          | ViewContent          | view_item            | ViewContent
ViewCategory         | c:ViewCategory       | view_item_list       | c:ViewCategory
Search               | Search               | search               | Search
CustomizeProduct     | CustomizeProduct     | c:customize_product  | CustomizeProduct
AddToWishlist        | AddToWishlist        | add_to_wishlist      | AddToWishlist
AddToCart            | AddToCart            | add_to_cart          | AddToCart
RemoveFromCart       | c:RemoveFromCart     | remove_from_cart     | c:RemoveFromCart
ViewCart             | c:ViewCart           | view_cart            | c:ViewCart
InitiateCheckout     | InitiateCheckout     | begin_checkout       | InitiateCheckout
AddShippingInfo      | c:AddShippingInfo    | add_shipping_info    | c:AddShippingInfo
AddPaymentInfo       | AddPaymentInfo       | add_payment_info     | AddPaymentInfo
Purchase             | Purchase             | purchase             | Purchase
Refund               | c:Refund             | refund               | -
Subscribe            | Subscribe            | c:subscribe          | Subscribe
StartTrial           | StartTrial           | c:start_trial        | StartTrial
Donate               | Donate               | c:donate             | c:Donate
CompleteRegistration | CompleteRegistration | sign_up              | CompleteRegistration
Login                | c:Login              | login                | c:Login
Lead                 | Lead                 | generate_lead        | Lead
QualifiedLead        | c:QualifiedLead      | qualify_lead         | c:QualifiedLead
SubmitApplication    | SubmitApplication    | c:submit_application | SubmitApplication
Contact              | Contact              | c:contact            | Contact
Schedule             | Schedule             | c:schedule           | Schedule
FindLocation         | FindLocation         | c:find_location      | FindLocation
Download             | c:Download           | file_download        | Download
AppInstall           | c:AppInstall         | -                    | c:AppInstall
WatchVideo           | c:WatchVideo         | c:watch_video        | c:WatchVideo
Share                | c:Share              | share                | c:Share
Rate                 | c:Rate               | c:rate               | c:Rate
ClickButton          | c:ClickButton        | c:click_button       | ClickButton
Custom               | c:{name}             | c:{name}             | c:{name}
`,
);

function columns(slugs: readonly string[], table: string): Record<string, Record<string, string>> {
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(
    slugs.map((slug, i) => [
      slug,
      Object.fromEntries(rows.map(([name = '', ...cells]) => [name, cells[i] ?? ''])),
    ]),
  );
}
