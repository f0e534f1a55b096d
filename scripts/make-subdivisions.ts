/**
 * Writes lib/core/subdivisions.json: the states of US, CA, JP, AU and IN in the 21 languages. The names come from CLDR's
 * subdivision files, which are too large to install with the app, so the folder that holds them is an argument:
 * `npm pack cldr@8.0.0`, unpack it, then `node scripts/make-subdivisions.ts package/3rdparty/cldr/common/subdivisions`.
 * make-subdivisions.json, which translators edit, corrects and completes them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder = ''] = process.argv;
if (folder === '') {
  console.error('usage: node scripts/make-subdivisions.ts <folder of CLDR common/subdivisions>');
  process.exit(1);
}

const corrections: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL('make-subdivisions.json', import.meta.url), 'utf8'),
);

const locales = 'en sp ar az fr nb zh zh-TW kk de it hr cs hu pl pt ro ja nl bg ru'.split(' ');
/** The names of CLDR's files and of Intl where they differ from the contract's codes. */
const files: Record<string, string> = { sp: 'es', nb: 'no', 'zh-TW': 'zh_Hant' };
const tags: Record<string, string> = { sp: 'es', zh: 'zh-Hans' };

// ISO 3166-2 codes without the country; the American territories are separate countries in CLDR.
const codes: Record<string, string> = {
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  JP: Array.from({ length: 47 }, (_, index) => String(index + 1).padStart(2, '0')).join(' '),
  AU: 'ACT NSW NT QLD SA TAS VIC WA',
  IN: 'AN AP AR AS BR CG CH DH DL GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD PB PY RJ SK TN TR TS UK UP WB',
};

/** CLDR's names of one language by 'usca'; the first of several spellings is used. */
function read(file: string): Record<string, string> {
  const names: Record<string, string> = {};
  const xml = readFileSync(join(folder, `${file}.xml`), 'utf8');
  for (const [, key, name] of xml.matchAll(/<subdivision type="(\w+)"[^>]*>([^<]*)</g) as Iterable<
    [string, string, string]
  >) {
    names[key] ??= name;
  }
  return names;
}

/** The plain name: without the word for prefecture, marks of ambiguity and macrons, with an initial capital. */
function tidy(name: string) {
  const bare = name
    .replace(/&amp;/g, '&')
    .replace(/[¹²³]|\s*\([^)]*\)$/g, '')
    .replace(
      /^(?:pr[eé]fecture d(?:e |’|')|prefectura (?:de )?|prefettura di |präfektur |prefectuur |prefektura |província de )/i,
      '',
    )
    .replace(/(?:,? prefekt[uú]ra| ştatı| штаты)$/i, '')
    .normalize('NFD')
    .replace(/\u0304/g, '')
    .normalize('NFC')
    .trim();
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

function correction(locale: string, country: string, code: string) {
  const pairs = corrections[locale]?.[country]?.split('|') ?? [];
  return pairs.find((pair) => pair.startsWith(`${code}=`))?.slice(code.length + 1);
}

function nameOf(locale: string, country: string, code: string, cldr: Record<string, string>) {
  const own = correction(locale, country, code);
  if (own) return own;
  if (country === 'US' && ['AS', 'GU', 'MP', 'PR', 'VI'].includes(code)) {
    return new Intl.DisplayNames(tags[locale] ?? locale, { type: 'region', fallback: 'none' }).of(code);
  }
  const name = cldr[(country + code).toLowerCase()];
  return name && tidy(name);
}

const lines = [];
for (const locale of locales) {
  const cldr = read(files[locale] ?? locale);
  const countries = Object.entries(codes).map(([country, list]) => {
    const names = list.split(' ').map((code) => {
      const name = nameOf(locale, country, code, cldr);
      if (!name) throw new Error(`No name for ${country}-${code} in ${locale}`);
      return [code, name];
    });
    // Arrays keep the order; an object would sort Japan's numeric-looking codes first.
    return `    ${JSON.stringify(country)}: ${JSON.stringify(names.map(([code, name]) => `${code}=${name}`).join('|'))}`;
  });
  lines.push(`  ${JSON.stringify(locale)}: {\n${countries.join(',\n')}\n  }`);
}
writeFileSync(new URL('../lib/core/subdivisions.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
