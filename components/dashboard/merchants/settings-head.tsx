'use client';
// The head of a settings page: title, status, actions, the switch that enables or disables the object, and tabs.
import Link from 'next/link';
import type { ReactNode } from 'react';
import {
  Actions,
  IconButton,
  Menu,
  type MenuItem,
  type Offers,
  type Question,
  request,
  Tag,
  useQuestion,
} from '../ui/index.ts';
import { tabClass } from '../ui/tabs.tsx';

type Props<Page> = {
  title: string;
  enabled: boolean;
  about?: ReactNode;
  actions: Offers;
  menu?: { label: string; items?: readonly MenuItem[] };
  /** Enables or disables the object, as the last item of the menu. */
  turn?: Turn<Page> | false;
  /** The merchant whose tabs are shown, and the current one. */
  merchant?: { id: string; tab: 'General' | 'Keys' };
};

type Turn<Page> = {
  /** The path of the object, with the version that the user saw. */
  path: string;
  version: number;
  noun: string;
  about: string;
  /** Shows the object as it is then. */
  take: (page: Page) => void;
};

/** Asks before the switch; disabling requires the object's name. */
function turnQuestion<Page>(
  { path, version, noun, about, take }: Turn<Page>,
  name: string,
  enabled: boolean,
): Question {
  const verb = enabled ? 'Disable' : 'Enable';
  return {
    title: `${verb} ${name}`,
    verb: `${verb} ${noun}`,
    danger: enabled,
    typed: enabled ? name : undefined,
    text: <p className="text-ink2">{about}</p>,
    done: `${name} is ${enabled ? 'disabled' : 'enabled'}.`,
    onConfirm: async () => take(await request<Page>(`${path}/switch`, { body: { version, enabled: !enabled } })),
  };
}

/** The tabs of a merchant; the branding of its payment page has its own editor. */
const tabsOf = (id: string) => [
  { href: `/dashboard/merchants/${id}`, title: 'General' },
  { href: `/dashboard/merchants/${id}/keys`, title: 'Keys' },
  { href: `/dashboard/payment-page?merchant=${id}`, title: 'Payment page' },
];

export function SettingsHead<Page>({ title, enabled, about, actions, menu, turn, merchant }: Props<Page>) {
  const { ask, dialog } = useQuestion();
  const items: MenuItem[] = [...(menu?.items ?? [])];
  if (turn) {
    const onSelect = () => ask(turnQuestion(turn, title, enabled));
    if (items.length > 0) items.push('line');
    items.push({ text: enabled ? 'Disable' : 'Enable', danger: enabled, onSelect });
  }
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
          {menu && items.length > 0 ? (
            <Menu label={menu.label} items={items}>
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
      {dialog}
    </div>
  );
}
