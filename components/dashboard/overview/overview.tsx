// The overview: alerts first, then key figures, then charts. Rendered by the server, including the charts.
import Link from 'next/link';
import type { AttentionItem, Overview as Model } from '../../../lib/dashboard/overview/contract.ts';
import { findMethod } from '../../../lib/methods/catalog.ts';
import { Icon, type IconName } from '../icons.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/parts.tsx';
import { walletNames } from '../wallets/labels.tsx';
import { ApprovalChart } from './approval-chart.tsx';
import { Declines, Methods } from './bars.tsx';
import { Breakdown } from './breakdown.tsx';
import { AutoRefresh, CurrencyChoice, Filters, PeriodChoice } from './controls.tsx';
import { Figures } from './figures.tsx';
import { rangeText } from './format.ts';
import { HeatMap } from './heat-map.tsx';
import { VolumeChart } from './volume-chart.tsx';

type Props = {
  overview: Model;
  /** The selected currency; by default the one with the most payments. */
  currency: string | null;
  zone: string;
  /** The demo shop of a sandbox. */
  shopUrl: string | null;
  seesCallbacks: boolean;
};

const ownNames: Record<string, string> = { ...walletNames, card: 'Card', other: 'Other' };

export function Overview({ overview, currency, zone, shopUrl, seesCallbacks }: Props) {
  const { period, volumes, methods } = overview;
  const volume = volumes.find((each) => each.currency === currency) ?? volumes[0] ?? null;
  const ids = new Set([...volumes.flatMap((each) => each.methods), ...methods.map(({ method }) => method)]);
  const names = Object.fromEntries([...ids].map((id) => [id, ownNames[id] ?? findMethod(id)?.name ?? id]));
  const { merchant, mid, merchants } = overview.filters;
  const filter = `${merchants.length > 1 && merchant ? `&merchant=${merchant}` : ''}${mid ? `&mid=${mid}` : ''}`;
  const shown = { ...overview, volume, names, filter };
  const isNew = overview.payments.now === 0 && overview.payments.before === 0;
  return (
    <>
      <AutoRefresh on={period.running !== null} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-gutter pt-3.5 pb-3">
        <PeriodChoice period={period} />
        <Filters filters={overview.filters} />
        <CurrencyChoice currencies={volumes.map((each) => each.currency)} current={volume?.currency ?? ''} />
        <p className="flex basis-full flex-wrap items-baseline gap-x-1">
          {rangeText(period.from, period.to)}
          <span className="text-ink3">compared with {rangeText(period.beforeFrom, period.beforeTo, false)}</span>
          <span className="ml-auto text-xs text-ink3">{zone}</span>
        </p>
      </div>
      {overview.attention.length > 0 ? <Attention items={overview.attention} seesCallbacks={seesCallbacks} /> : null}
      {isNew ? (
        <NothingYet shopUrl={shopUrl} />
      ) : (
        <>
          <Figures overview={overview} volume={volume} />
          <div className="grid border-t border-line lg:grid-cols-12">
            <VolumeChart {...shown} className="border-line lg:col-span-7 lg:border-r xl:col-span-8" />
            <ApprovalChart {...shown} className="border-line max-lg:border-t lg:col-span-5 xl:col-span-4" />
          </div>
          <div className="grid border-t border-line lg:grid-cols-2 xl:grid-cols-3">
            <Declines {...shown} className="border-line lg:border-r" />
            <Methods {...shown} className="border-line max-lg:border-t xl:border-r" />
            <HeatMap {...shown} className="border-line max-xl:border-t lg:max-xl:col-span-2" />
          </div>
          <Breakdown currency={volume?.currency ?? 'EUR'} manyMerchants={overview.filters.merchants.length > 1} />
        </>
      )}
    </>
  );
}

const icons: Record<AttentionItem['kind'], IconName> = {
  mid: 'falling',
  callbacks: 'callback',
  unknown: 'clock',
  chargebacks: 'chargebacks',
  unresolved: 'unresolved',
  holds: 'lock',
  certificate: 'wallets',
  ledger: 'unresolved',
};

function Attention({ items, seesCallbacks }: { items: AttentionItem[]; seesCallbacks: boolean }) {
  return (
    <section aria-label="Needs attention" className="px-gutter pb-3.5">
      <ul className="rounded-control border border-solid border-warn-line bg-warn-soft px-3.5">
        {items.map(({ kind, strong, rest, href, action }) => (
          <li
            key={`${kind} ${strong}`}
            className="flex min-h-[34px] items-start gap-2.5 border-warn-line py-1.5 not-first:border-t max-md:flex-wrap"
          >
            <span className="mt-0.5 text-warn">
              <Icon name={icons[kind]} />
            </span>
            <p className="min-w-0 flex-1">
              <strong>{strong}</strong>
              {rest}
            </p>
            {kind === 'callbacks' && !seesCallbacks ? null : (
              <Link
                href={href}
                prefetch={false}
                className="inline-flex min-h-6 items-center gap-1.5 text-xs font-medium whitespace-nowrap text-ink2 no-underline hover:text-ink hover:underline max-md:ml-[26px] max-md:basis-full phone:min-h-11"
              >
                {action}
                <Icon name="right" size={14} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function NothingYet({ shopUrl }: Pick<Props, 'shopUrl'>) {
  return (
    <div className="border-t border-line">
      <Empty title="No payments in this period">
        <p>
          Volume, approval rate, declines, methods and callbacks of the period are shown here.
          {shopUrl ? ' In the sandbox you can pay with a test card.' : ''}
        </p>
        {shopUrl ? <LinkButton href={shopUrl}>Open demo shop</LinkButton> : null}
      </Empty>
    </div>
  );
}
