// The head of a settings page: title, status, actions and tabs.
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Actions, IconButton, Menu, type MenuItem, type Offers, Tag } from '../ui/index.ts';
import { tabClass } from '../ui/tabs.tsx';

type Props = {
  title: string;
  enabled: boolean;
  about?: ReactNode;
  /** Buttons, the most frequent first. */
  actions: Offers;
  /** Further actions behind a button. */
  menu?: { label: string; items: readonly MenuItem[] };
  /** The merchant whose tabs are shown, and the current one. */
  merchant?: { id: string; tab: 'General' | 'Keys' };
};

/** The tabs of a merchant; the branding of its payment page has its own editor. */
const tabsOf = (id: string) => [
  { href: `/dashboard/merchants/${id}`, title: 'General' },
  { href: `/dashboard/merchants/${id}/keys`, title: 'Keys' },
  { href: `/dashboard/payment-page?merchant=${id}`, title: 'Payment page' },
];

export function SettingsHead({ title, enabled, about, actions, menu, merchant }: Props) {
  return (
    <div className={`border-b border-line px-gutter pt-[18px] ${merchant ? '' : 'pb-3.5'}`}>
      <div className="flex items-start justify-between gap-x-4 gap-y-2.5 max-md:flex-wrap">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5">
          <h1 className="min-w-0 text-title font-semibold break-words">
            <bdi>{title}</bdi>
          </h1>
          {enabled ? <Tag tone="ok">Active</Tag> : <Tag tone="bad">Disabled</Tag>}
          {about ? <p className="text-ink2">{about}</p> : null}
        </div>
        <div className="flex flex-wrap gap-2 md:shrink-0">
          <Actions of={actions} />
          {menu && menu.items.length > 0 ? (
            <Menu {...menu}>
              <IconButton label="More" icon="dots" framed size="normal" />
            </Menu>
          ) : null}
        </div>
      </div>
      {merchant ? (
        <nav aria-label="Parts" className="mt-1.5 -mb-px flex h-11 gap-5 overflow-x-auto">
          {tabsOf(merchant.id).map(({ href, title: text }) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              aria-current={text === merchant.tab ? 'page' : undefined}
              className={tabClass(text === merchant.tab)}
            >
              {text}
            </Link>
          ))}
        </nav>
      ) : null}
    </div>
  );
}
