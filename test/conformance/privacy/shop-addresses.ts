// Addresses as eight shop systems make them, with what advertising appends, and nothing personal in any. A grammar of what
// their documents and shops show: slugs, codes of goods, EAN, tracking numbers, coupons, UUIDs, coordinates, click ids.
import type { SeededRandom } from '#test/support/memory/random.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE62 = `${UPPER}${UPPER.toLowerCase()}${DIGITS}`;
const BASE64URL = `${BASE62}-_`;

export const charsOf = (alphabet: string, length: number, random: SeededRandom): string =>
  Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');

const between = (least: number, most: number, random: SeededRandom): number =>
  least + random.below(most - least + 1);

const WORDS =
  'blue red cotton linen shirt dress summer winter sale new classic slim fit women men kids leather boots sneaker wireless phone case charger usb card holder gift magic mug key chain ring token pendant session vinyl reset button kit garden hose organic coffee beans dark roast pack of with and for the street art print birthday candle passport cover pass port tel aviv poster author signed edition secret santa verify tape invite set name plate mobile crib sig sauer holster auth sid vicious tee'.split(
    ' ',
  );
const words = (count: number, random: SeededRandom): readonly string[] =>
  Array.from({ length: count }, () => random.pick(WORDS));
const slug = (random: SeededRandom): string => {
  const base = words(between(1, 6, random), random).join('-');
  return random.chance(0.2) ? `${base}-${between(1, 2_030, random)}` : base;
};
const query = (random: SeededRandom): string =>
  words(between(1, 4, random), random).join(random.pick(['+', '%20']));
const uuid = (random: SeededRandom): string =>
  [8, 4, 4, 4, 12].map((length) => charsOf(HEX, length, random)).join('-');

function ean(random: SeededRandom): string {
  const body = `${random.pick(['400', '501', '761', '871', '978'])}${charsOf(DIGITS, 9, random)}`;
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const SKUS: readonly ((random: SeededRandom) => string)[] = [
  (random) =>
    `${charsOf(UPPER, between(2, 4, random), random)}-${charsOf(DIGITS, between(3, 6, random), random)}`,
  (random) =>
    `${charsOf(UPPER, 3, random)}-${charsOf(DIGITS, 4, random)}-${random.pick(['XS', 'S', 'M', 'L', 'XL'])}`,
  (random) => charsOf(DIGITS, between(4, 9, random), random),
  (random) => `${charsOf(UPPER, 2, random)}${charsOf(DIGITS, 6, random)}${charsOf(UPPER, 1, random)}`,
  (random) => `${charsOf(DIGITS, 4, random)}-${charsOf(DIGITS, 4, random)}`,
  (random) => `${charsOf(DIGITS, 3, random)}.${charsOf(DIGITS, 3, random)}.${charsOf(DIGITS, 2, random)}`,
  (random) => `B0${charsOf(UPPER + DIGITS, 8, random)}`,
  (random) => `${charsOf(UPPER, 1, random)}${charsOf(DIGITS, 4, random)}${charsOf(UPPER, 2, random)}`,
];
/** One in forty has the form of a Spanish identity number, whose letter fits one in 23. */
const sku = (random: SeededRandom): string =>
  random.chance(1 / 40)
    ? `${charsOf(DIGITS, 8, random)}${charsOf(UPPER, 1, random)}`
    : random.pick(SKUS)(random);

const TRACKING: readonly ((random: SeededRandom) => string)[] = [
  (random) => `1Z${charsOf(UPPER + DIGITS, 6, random)}${charsOf(DIGITS, 10, random)}`,
  (random) => charsOf(DIGITS, random.pick([10, 12, 14, 15, 16, 20, 22]), random),
  (random) =>
    `${charsOf(UPPER, 2, random)}${charsOf(DIGITS, 9, random)}${random.pick(['GB', 'DE', 'CN', 'US'])}`,
  (random) => `JD01${charsOf(DIGITS, 16, random)}`,
];
const coupon = (random: SeededRandom): string =>
  random.pick([
    () => `${random.pick(['SUMMER', 'WELCOME', 'VIP', 'FRIEND'])}${between(5, 50, random)}`,
    () => charsOf(UPPER + DIGITS, between(6, 12, random), random),
    () => [4, 4, 4].map((length) => charsOf(UPPER + DIGITS, length, random)).join('-'),
  ])();
const coordinates = (random: SeededRandom): readonly [string, string] => [
  (random.next() * 180 - 90).toFixed(6),
  (random.next() * 360 - 180).toFixed(6),
];
const unixMs = (random: SeededRandom): string => String(1_700_000_000_000 + random.below(100_000_000_000));
const time = (random: SeededRandom): string => unixMs(random).slice(0, 10);

type Shop = (random: SeededRandom) => string;
const oneOf =
  (...forms: readonly Shop[]): Shop =>
  (random) =>
    random.pick(forms)(random);

export const SHOPS: Readonly<Record<string, Shop>> = {
  shopify: oneOf(
    (random) => `/products/${slug(random)}?variant=${charsOf(DIGITS, 14, random)}`,
    (random) => `/collections/${slug(random)}/products/${slug(random)}`,
    (random) =>
      `/products/${slug(random)}?_pos=${between(1, 9, random)}&_sid=${charsOf(HEX, 9, random)}&_ss=r&variant=${charsOf(DIGITS, 14, random)}`,
    (random) =>
      `/collections/${slug(random)}?filter.v.price.gte=10&filter.p.m.custom.key=blue&sort_by=best-selling`,
    (random) => `/search?q=${query(random)}&options%5Bprefix%5D=last&type=product`,
    (random) => `/cart/${charsOf(DIGITS, 14, random)}:${between(1, 5, random)}?discount=${coupon(random)}`,
    (random) => `/apps/track123?nums=${random.pick(TRACKING)(random)}`,
    (random) => `/cdn/shop/files/${slug(random)}_${uuid(random)}@2x.jpg?v=${time(random)}&width=1200`,
  ),
  woocommerce: oneOf(
    (random) => `/product/${slug(random)}/?attribute_pa_color=blue&attribute_pa_size=xl`,
    (random) => `/?add-to-cart=${charsOf(DIGITS, 5, random)}&quantity=${between(1, 9, random)}`,
    (random) =>
      `/shop/page/${between(2, 40, random)}/?orderby=price&min_price=10&max_price=200&filter_color=red`,
    (random) => `/checkout/order-received/${charsOf(DIGITS, 5, random)}/`,
    (random) => `/?s=${query(random)}&post_type=product`,
    (random) => `/product-category/${slug(random)}/${slug(random)}/?product=${sku(random)}`,
  ),
  magento: oneOf(
    (random) => `/catalogsearch/result/index/?q=${random.chance(0.3) ? ean(random) : query(random)}&p=2`,
    (random) => `/${slug(random)}-${sku(random)}.html`,
    (random) =>
      `/catalog/product/view/id/${charsOf(DIGITS, 5, random)}/s/${slug(random)}/category/${charsOf(DIGITS, 3, random)}/`,
    (random) => `/media/catalog/product/cache/${charsOf(HEX, 32, random)}/a/b/${slug(random)}_1.jpg`,
    (random) => `/${slug(random)}.html?___store=de&___from_store=en&SID=U`,
    (random) => `/checkout/onepage/success/?order=${charsOf(DIGITS, 9, random)}`,
  ),
  bigcommerce: oneOf(
    (random) => `/${slug(random)}/?sku=${sku(random)}`,
    (random) => `/cart.php?action=add&product_id=${charsOf(DIGITS, 3, random)}&source=buy_now`,
    (random) => `/search.php?search_query=${query(random)}&section=content`,
    (random) => `/checkout?ctk=${uuid(random)}`,
    (random) => `/brands/${slug(random)}.html?_bc_fsnf=1&brand=${charsOf(DIGITS, 2, random)}`,
  ),
  prestashop: oneOf(
    (random) => `/index.php?id_product=12&id_product_attribute=34&rewrite=${slug(random)}&controller=product`,
    (random) => `/${charsOf(DIGITS, 2, random)}-${slug(random)}.html#/1-size-s/8-color-white`,
    (random) => `/recherche?controller=search&s=${query(random)}`,
    (random) =>
      `/order-confirmation?id_cart=${charsOf(DIGITS, 4, random)}&id_module=30&id_order=${charsOf(DIGITS, 4, random)}`,
    (random) => `/${charsOf(DIGITS, 3, random)}-${slug(random)}/${ean(random)}.html`,
  ),
  shopware: oneOf(
    (random) => `/detail/${charsOf(HEX, 32, random)}`,
    (random) =>
      `/navigation/${charsOf(HEX, 32, random)}?order=name-asc&p=2&properties=${charsOf(HEX, 32, random)}%7C${charsOf(HEX, 32, random)}`,
    (random) => `/checkout/finish?orderId=${charsOf(HEX, 32, random)}`,
    (random) => `/search?search=${query(random)}`,
    (random) => `/${slug(random)}/${sku(random)}`,
  ),
  wix: oneOf(
    (random) => `/product-page/${slug(random)}`,
    (random) => `/shop?page=${between(2, 20, random)}&sort=price_ascending&Collection=${slug(random)}`,
    (random) => `/thank-you-page/${uuid(random)}?objectType=order`,
    (random) => `/checkout?checkoutId=${uuid(random)}&currency=EUR`,
    (random) => `/stores/@${coordinates(random).join(',')},15z`,
  ),
  squarespace: oneOf(
    (random) => `/store/p/${slug(random)}?category=${slug(random)}`,
    (random) => `/checkout/order-confirmed?oid=${charsOf(HEX, 24, random)}`,
    (random) => `/shop/${slug(random)}?itemId=${charsOf(HEX, 24, random)}&format=json`,
    (random) => `/locations?lat=${coordinates(random)[0]}&lng=${coordinates(random)[1]}`,
    (random) => `/track/${random.pick(TRACKING)(random)}`,
  ),
};

/** The twelve platforms' own, and others that lie in addresses as often. */
const CLICKS: readonly ((random: SeededRandom) => string)[] = [
  (random) => `gclid=Cj0KCQ${charsOf(BASE64URL, 70, random)}`,
  (random) => `gbraid=0AAAAA${charsOf(BASE64URL, 30, random)}`,
  (random) => `wbraid=Cj8KCQ${charsOf(BASE64URL, 60, random)}`,
  (random) => `dclid=${charsOf(BASE64URL, 32, random)}`,
  (random) => `fbclid=IwAR${charsOf(BASE64URL, 57, random)}`,
  (random) => `ttclid=E.C.P.${charsOf(BASE64URL, 80, random)}`,
  (random) => `twclid=2-${charsOf(BASE62.toLowerCase(), 24, random)}`,
  (random) => `msclkid=${charsOf(HEX, 32, random)}`,
  (random) => `li_fat_id=${uuid(random)}`,
  (random) => `epik=dj0yJnU9${charsOf(BASE62, 60, random)}`,
  (random) => `ScCid=${uuid(random)}`,
  (random) => `rdt_cid=${charsOf(DIGITS, 19, random)}`,
  (random) => `_kx=${charsOf(BASE64URL, 40, random)}.${charsOf(BASE62, 6, random)}`,
  (random) => `oppref=${charsOf(BASE64URL, 40, random)}`,
  (random) => `tblci=GiDx${charsOf(BASE64URL, 110, random)}`,
  (random) => `OutbrainClickId=v3-${charsOf(HEX, 64, random)}`,
  (random) => `awc=${charsOf(DIGITS, 4, random)}_${time(random)}_${charsOf(HEX, 32, random)}`,
  (random) => `irclickid=${charsOf(BASE62, 42, random)}`,
  (random) => `srsltid=AfmBO${charsOf(BASE64URL, 55, random)}`,
  (random) =>
    `_gl=1*${charsOf(BASE62.toLowerCase(), 7, random)}*_ga*${Buffer.from(`${charsOf(DIGITS, 9, random)}.${time(random)}`).toString('base64url')}.`,
  (random) => `mc_cid=${charsOf(HEX, 10, random)}&mc_eid=${charsOf(HEX, 10, random)}`,
  (random) => `_hsenc=p2ANqtz-${charsOf(BASE64URL, 60, random)}&_hsmi=${charsOf(DIGITS, 9, random)}`,
];

const EXTRAS: readonly ((random: SeededRandom) => string)[] = [
  (random) =>
    `utm_source=${random.pick(['google', 'newsletter', 'meta', 'tiktok'])}&utm_medium=${random.pick(['cpc', 'email', 'social'])}&utm_campaign=${slug(random)}`,
  (random) =>
    `utm_id=${charsOf(DIGITS, 18, random)}&utm_term=${query(random)}&utm_content=${charsOf(DIGITS, between(10, 17, random), random)}`,
  (random) =>
    `hsa_acc=${charsOf(DIGITS, 10, random)}&hsa_cam=${charsOf(DIGITS, 11, random)}&hsa_kw=${query(random)}`,
  (random) => `ref=${slug(random)}`,
  (random) => `coupon=${coupon(random)}`,
  () => 'lang=en&currency=EUR',
  (random) => `ts=${unixMs(random)}`,
  (random) =>
    `campaign_id=${charsOf(DIGITS, 17, random)}&adset_id=${charsOf(DIGITS, 17, random)}&ad_id=${charsOf(DIGITS, 17, random)}`,
  (random) => `cache=${charsOf(BASE62, between(6, 20, random), random)}`,
  (random) => `email_campaign=${slug(random)}&key=${random.pick(['color', 'size', 'price'])}`,
  (random) => `date=20${between(20, 26, random)}-0${between(1, 9, random)}-1${between(0, 9, random)}`,
];

/** One clean address; which shop system it is of is chance. */
export function shopAddress(random: SeededRandom): string {
  const page = random.pick(Object.values(SHOPS))(random);
  const more = [
    ...(random.chance(0.4) ? [random.pick(CLICKS)(random)] : []),
    ...(random.chance(0.5) ? [random.pick(EXTRAS)(random)] : []),
    ...(random.chance(0.2) ? [random.pick(EXTRAS)(random)] : []),
  ];
  const [path = '', fragment] = page.split('#');
  const joined = more.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${more.join('&')}`;
  const host = `https://${random.pick(['', 'www.', 'shop.', 'de.'])}${words(2, random).join('-')}.example`;
  return `${host}${joined}${fragment === undefined ? '' : `#${fragment}`}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const TAILS: readonly ((random: SeededRandom) => string)[] = [
  () => '',
  (random) => ` – ${between(2, 48, random)}-pack`,
  (random) => ` (${sku(random)})`,
  (random) => ` ${between(1, 90, random)}x${between(1, 90, random)} cm, ${between(10, 999, random)} g`,
  (random) => ` EAN ${ean(random)}`,
  (random) => ` ${between(1_990, 2_026, random)} + ${between(100, 9_999, random)} mAh`,
  (random) => `: ${between(1, 20, random)} for $${between(1, 500, random)}.99`,
  (random) => ` @ ${capital(random.pick(WORDS))} Store`,
  (random) => ` | ISBN 978-3-16-${charsOf(DIGITS, 6, random)}-${between(0, 9, random)}`,
  (random) => ` ${random.pick(TRACKING)(random)}`,
];

/** A title or a search text as shops have them. */
export const shopTitle = (random: SeededRandom): string =>
  `${words(between(1, 6, random), random)
    .map(capital)
    .join(' ')}${random.pick(TAILS)(random)}`;
