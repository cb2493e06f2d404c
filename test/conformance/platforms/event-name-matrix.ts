// The event catalogue's columns, transcribed cell by cell and independent of the code under test.
// `c:` = sent as a custom event of that name, `-` = not sent, `{name}` = the name as sent.

const BY_NAME = columns(
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

// Platforms that know an event by an id of theirs: the cell is the category, rule type or event type the id is of.
const BY_ID = columns(
  ['google_ads', 'linkedin', 'x'],
  `
PageView             | PAGE_VIEW        | KEY_PAGE_VIEW      | LANDING_PAGE_VIEW
ViewContent          | DEFAULT          | VIEW_CONTENT       | CONTENT_VIEW
ViewCategory         | DEFAULT          | OTHER              | CUSTOM
Search               | DEFAULT          | SEARCH             | SEARCH
CustomizeProduct     | DEFAULT          | OTHER              | CUSTOM
AddToWishlist        | DEFAULT          | ADD_TO_LIST        | ADD_TO_WISHLIST
AddToCart            | ADD_TO_CART      | ADD_TO_CART        | ADD_TO_CART
RemoveFromCart       | -                | -                  | -
ViewCart             | DEFAULT          | OTHER              | CUSTOM
InitiateCheckout     | BEGIN_CHECKOUT   | START_CHECKOUT     | CHECKOUT_INITIATED
AddShippingInfo      | DEFAULT          | OTHER              | CUSTOM
AddPaymentInfo       | DEFAULT          | ADD_BILLING_INFO   | PAYMENT_INFO_ADDITION
Purchase             | PURCHASE         | PURCHASE           | PURCHASE
Refund               | -                | -                  | -
Subscribe            | SUBSCRIBE_PAID   | SUBSCRIBE          | SUBSCRIPTION
StartTrial           | DEFAULT          | START_TRIAL        | CUSTOM
Donate               | PURCHASE         | DONATE             | CUSTOM
CompleteRegistration | SIGNUP           | COMPLETE_SIGNUP    | SIGN_UP
Login                | -                | LOGIN              | CUSTOM
Lead                 | SUBMIT_LEAD_FORM | LEAD               | CUSTOM
QualifiedLead        | QUALIFIED_LEAD   | QUALIFIED_LEAD     | CUSTOM
SubmitApplication    | SUBMIT_LEAD_FORM | SUBMIT_APPLICATION | CUSTOM
Contact              | CONTACT          | CONTACT            | CUSTOM
Schedule             | BOOK_APPOINTMENT | SCHEDULE           | CUSTOM
FindLocation         | GET_DIRECTIONS   | OTHER              | CUSTOM
Download             | DOWNLOAD         | DOWNLOAD           | DOWNLOAD
AppInstall           | -                | INSTALL            | -
WatchVideo           | ENGAGEMENT       | VIEW_VIDEO         | CUSTOM
Share                | ENGAGEMENT       | SHARE              | CUSTOM
Rate                 | ENGAGEMENT       | RATE               | CUSTOM
ClickButton          | OUTBOUND_CLICK   | OUTBOUND_CLICK     | CUSTOM
Custom               | DEFAULT          | OTHER              | CUSTOM
`,
);

// Platforms with a fixed list of names: what is not on it shares a slot for custom events, or carries its name there.
const BY_LIST = columns(
  ['snapchat', 'pinterest', 'reddit'],
  `
PageView             | PAGE_VIEW       | page_visit        | PAGE_VISIT
ViewContent          | VIEW_CONTENT    | view_content      | VIEW_CONTENT
ViewCategory         | LIST_VIEW       | view_category     | c:ViewCategory
Search               | SEARCH          | search            | SEARCH
CustomizeProduct     | CUSTOM_EVENT_3  | custom            | c:CustomizeProduct
AddToWishlist        | ADD_TO_WISHLIST | add_to_wishlist   | ADD_TO_WISHLIST
AddToCart            | ADD_CART        | add_to_cart       | ADD_TO_CART
RemoveFromCart       | CUSTOM_EVENT_5  | custom            | c:RemoveFromCart
ViewCart             | CUSTOM_EVENT_5  | custom            | c:ViewCart
InitiateCheckout     | START_CHECKOUT  | initiate_checkout | c:InitiateCheckout
AddShippingInfo      | CUSTOM_EVENT_5  | custom            | c:AddShippingInfo
AddPaymentInfo       | ADD_BILLING     | add_payment_info  | c:AddPaymentInfo
Purchase             | PURCHASE        | checkout          | PURCHASE
Refund               | -               | -                 | -
Subscribe            | SUBSCRIBE       | subscribe         | c:Subscribe
StartTrial           | START_TRIAL     | custom            | c:StartTrial
Donate               | CUSTOM_EVENT_5  | custom            | c:Donate
CompleteRegistration | SIGN_UP         | signup            | SIGN_UP
Login                | LOGIN           | custom            | c:Login
Lead                 | CUSTOM_EVENT_1  | lead              | LEAD
QualifiedLead        | CUSTOM_EVENT_5  | custom            | c:QualifiedLead
SubmitApplication    | CUSTOM_EVENT_4  | custom            | c:SubmitApplication
Contact              | CUSTOM_EVENT_2  | custom            | c:Contact
Schedule             | RESERVE         | custom            | c:Schedule
FindLocation         | CUSTOM_EVENT_5  | custom            | c:FindLocation
Download             | CUSTOM_EVENT_5  | custom            | c:Download
AppInstall           | APP_INSTALL     | app_install       | c:AppInstall
WatchVideo           | CUSTOM_EVENT_5  | watch_video       | c:WatchVideo
Share                | SHARE           | custom            | c:Share
Rate                 | RATE            | custom            | c:Rate
ClickButton          | CUSTOM_EVENT_5  | custom            | c:ClickButton
Custom               | CUSTOM_EVENT_5  | custom            | c:{name}
`,
);

// Names suggested for goals, conversion types with the name beside them, and metrics.
const BY_GOAL = columns(
  ['microsoft', 'amazon', 'klaviyo'],
  `
PageView             | pageLoad             | PAGE_VIEW              | Active on Site
ViewContent          | view_item            | OTHER                  | Viewed Product
ViewCategory         | view_item_list       | OTHER                  | c:Viewed Category
Search               | search               | SEARCH                 | c:Searched Site
CustomizeProduct     | c:customize_product  | OTHER                  | c:Customized Product
AddToWishlist        | add_to_wishlist      | OTHER                  | c:Added to Wishlist
AddToCart            | add_to_cart          | ADD_TO_SHOPPING_CART   | Added to Cart
RemoveFromCart       | c:remove_from_cart   | -                      | c:Removed from Cart
ViewCart             | view_cart            | OTHER                  | c:Viewed Cart
InitiateCheckout     | begin_checkout       | CHECKOUT               | Started Checkout
AddShippingInfo      | c:add_shipping_info  | OTHER                  | c:Added Shipping Info
AddPaymentInfo       | add_payment_info     | OTHER                  | c:Added Payment Info
Purchase             | purchase             | OFF_AMAZON_PURCHASES   | Placed Order
Refund               | -                    | -                      | Refunded Order
Subscribe            | subscribe            | SUBSCRIBE              | c:Subscribed
StartTrial           | c:start_trial        | OTHER                  | c:Started Trial
Donate               | c:donate             | OTHER                  | c:Donated
CompleteRegistration | sign_up              | SIGN_UP                | c:Created Account
Login                | login                | OTHER                  | c:Logged In
Lead                 | submit_lead_form     | LEAD                   | c:Submitted Lead
QualifiedLead        | c:qualify_lead       | OTHER                  | c:Qualified Lead
SubmitApplication    | c:submit_application | APPLICATION            | c:Submitted Application
Contact              | contact              | CONTACT                | c:Contacted
Schedule             | book_appointment     | OTHER                  | c:Booked Appointment
FindLocation         | get_directions       | OTHER                  | c:Found Location
Download             | download             | OTHER                  | c:Downloaded
AppInstall           | -                    | MOBILE_APP_FIRST_START | c:Installed App
WatchVideo           | c:watch_video        | OTHER                  | c:Watched Video
Share                | share                | OTHER                  | c:Shared
Rate                 | c:rate               | OTHER                  | c:Rated
ClickButton          | c:click_button       | OTHER                  | c:Clicked Button
Custom               | c:{name}             | OTHER                  | c:{name}
`,
);

export const CATALOGUE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...BY_NAME,
  ...BY_ID,
  ...BY_LIST,
  ...BY_GOAL,
};

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
