/**
 * The settings of a request, read by prepared statements: they are read again every two seconds for every merchant in use
 * (merchants.ts), which through Prisma took six statements and most of the processor time of a request.
 */
import { type EntityRow, entity, statement } from '../db/index.ts';
import type {
  EarlierMidSettings,
  Merchant as MerchantRow,
  Mid as MidRow,
  ProtocolMapping,
  RoutingRule,
} from '../prisma/client.ts';

type StoredMerchant = Omit<MerchantRow, 'enabled' | 'version' | 'createdAt'> & { logo: { digest: string } | null };

const merchants = entity<StoredMerchant>()(
  'm',
  `id, name, site, logoUrl, accent, background, radius, font, privacyUrl, termsUrl, frameAncestors, appSchemes,
  supportEmail, pageTexts, logo`,
  { logo: "(select json_build_object('digest', l.digest) from merchant_logos l where l.merchant_id = m.id)" },
);

const findMerchant = statement<{ id: string }, EntityRow<StoredMerchant, 'm'>>(
  'merchant-find',
  `select ${merchants.columns} from merchants m where m.id = :id::uuid`,
);

/** A merchant as payments need it; null for an unknown id. */
export async function readMerchant(id: string): Promise<StoredMerchant | null> {
  const [row] = await findMerchant({ id });
  return row ? merchants.read(row) : null;
}

type StoredRule = Pick<RoutingRule, 'name' | 'enabled' | 'conditions' | 'targets'>;
type StoredMapping = Omit<ProtocolMapping, 'id' | 'merchantId' | 'version' | 'routingVersion'> & {
  rules: StoredRule[];
};

const mappings = entity<StoredMapping>()(
  'p',
  `protocol, enabled, digest, requiredPayerFields, callbackFields, statusFields, redirectParameters,
  offerSavingCards, pendingUrl, defaultLanguage,
  maximumDeclines, orderIdReuse, ipAllowlist, signedRequests, openPayouts, defaultNotificationUrl, uppercase,
  reversalWord, frameBySuccessUrl, scheduleRetries, scheduleRetryHours, missedSlots, cascadeLimit, dailyLimitMinor,
  weeklyLimitMinor, rules`,
  {
    rules: `(select coalesce(json_agg(json_build_object('name', r.name, 'enabled', r.enabled, 'conditions', r.conditions,
                'targets', r.targets) order by r.position), '[]')
               from routing_rules r where r.mapping_id = p.id)`,
  },
);

const findMappings = statement<{ merchantId: string }, EntityRow<StoredMapping, 'p'>>(
  'mappings-find',
  `select ${mappings.columns} from protocol_mappings p where p.merchant_id = :merchantId::uuid`,
);

/** The mappings of a merchant with their routing rules in order. */
export async function readMappings(merchantId: string): Promise<StoredMapping[]> {
  return (await findMappings({ merchantId })).map(mappings.read);
}

export type StoredMid = Omit<MidRow, 'version' | 'createdAt'>;

const mids = entity<StoredMid>()(
  'i',
  `id, merchantId, name, enabled, priority, paymentMode, connector, settings, capabilities, methods, currencies, operations,
  cardBrands, overrideLinkTarget, cardOnFileSupport, refundSupport, zeroAmounts, feeOptions, holdDays, dailyLimitMinor,
  monthlyLimitMinor, lateSuccess, settingsVersion`,
  { methods: "coalesce(i.methods, '{}')" },
);
type StoredMidRow = EntityRow<StoredMid, 'i'>;

const findMids = statement<{ merchantId: string }, StoredMidRow>(
  'mids-find',
  `select ${mids.columns} from mids i where i.merchant_id = :merchantId::uuid and i.enabled order by i.priority, i.id`,
);
const findMid = statement<{ id: string }, StoredMidRow>(
  'mid-find',
  `select ${mids.columns} from mids i where i.id = :id::uuid`,
);

/** The enabled MIDs of a merchant by priority. */
export async function readMids(merchantId: string): Promise<StoredMid[]> {
  return (await findMids({ merchantId })).map(mids.read);
}

/** One MID, enabled or not; null for an unknown id. */
export async function readMid(id: string): Promise<StoredMid | null> {
  const [row] = await findMid({ id });
  return row ? mids.read(row) : null;
}

/** The earlier settings of a MID, newest first. */
export const readEarlierSettings = statement<
  { midId: string },
  Pick<EarlierMidSettings, 'id' | 'version' | 'connector' | 'settings'>
>(
  'mid-earlier-settings',
  'select id, version, connector, settings from earlier_mid_settings where mid_id = :midId::uuid order by version desc',
);

const keyColumns = `k.id, k.environment, k.key, k.password, k.merchant_id as "merchantId", k.valid_until as "validUntil",
  m.enabled as "merchantEnabled"`;

/** A key with its sealed password, and whether its merchant is enabled. */
export type StoredKey = {
  id: string;
  environment: 'sandbox' | 'production';
  key: string;
  password: Uint8Array;
  merchantId: string;
  validUntil: Date | null;
  merchantEnabled: boolean;
};

export const findKey = statement<{ key: string }, StoredKey>(
  'key-find',
  `select ${keyColumns} from merchant_keys k join merchants m on m.id = k.merchant_id where k.key = :key`,
);
export const findKeyById = statement<{ id: string }, StoredKey>(
  'key-find-by-id',
  `select ${keyColumns} from merchant_keys k join merchants m on m.id = k.merchant_id where k.id = :id::uuid`,
);
/** A key and the keys that replaced it or its replacements in the same environment: the nearest first, of two the newer. */
export const findReplacements = statement<{ id: string }, StoredKey>(
  'key-find-replacements',
  `with recursive line as (
  select o.id, o.merchant_id, o.environment, 0 as depth from merchant_keys o where o.id = :id::uuid
  union all
  select r.id, r.merchant_id, r.environment, line.depth + 1 from line
    join merchant_keys r on r.replaces_id = line.id and r.merchant_id = line.merchant_id and r.environment = line.environment
) cycle id set is_repeated using path
select ${keyColumns} from line join merchant_keys k on k.id = line.id join merchants m on m.id = k.merchant_id
 where not line.is_repeated order by line.depth, k.created_at desc, k.id desc`,
);
