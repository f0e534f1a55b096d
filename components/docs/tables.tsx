// The tables of the documentation that are drawn from the code, so that they cannot say anything else than it does.
import type { ReactNode } from 'react';
import { group } from '../../lib/core/cards';
import { conditions } from '../../lib/core/error-conditions';
import { type ErrorKey, errors, texts } from '../../lib/core/errors';
import { type SandboxCard, sandboxCards } from '../../lib/core/sandbox-cards';
import { type Event, type State, states, transitions } from '../../lib/core/states';
import { CopyButton } from '../ui/copy-button';
import { Status } from '../ui/status';

/** A table of the documentation; it scrolls by itself. */
export function Table({ name, head, children }: { name: string; head: string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function declineOf({ decline, follow }: SandboxCard): ReactNode {
  const shown = decline ?? follow?.capture ?? follow?.refund ?? follow?.void;
  if (!shown) return null;
  return (
    <>
      {shown.reason} <span className="quiet">({shown.class})</span>
    </>
  );
}

/** Every card of the sandbox. */
export function SandboxCardTable() {
  return (
    <Table name="Sandbox cards" head={['Number', 'Date', 'What happens', 'Reason']}>
      {sandboxCards.map((card) => (
        <tr key={card.id}>
          <td>
            <span className="number">
              <code>{group(card.number)}</code>
              <CopyButton text={card.number} what={`card number for: ${card.name}`} className="bare" />
            </span>
          </td>
          <td>{card.expiry ? <code>{card.expiry}</code> : 'any'}</td>
          <td>{card.name}</td>
          <td>{declineOf(card)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Every refusal. */
export function ErrorTable() {
  const rows = Object.entries(errors) as [ErrorKey, (typeof errors)[ErrorKey]][];
  return (
    <Table name="Errors" head={['Code', 'HTTP', 'Message', 'When']}>
      {rows.map(([key, { code, http, message }]) => (
        <tr key={key}>
          <td>
            <code>{code}</code>
          </td>
          <td>{http}</td>
          <td>{message}</td>
          <td>{conditions[key]}</td>
        </tr>
      ))}
    </Table>
  );
}

const fieldTexts: Record<keyof typeof texts, string> = {
  blank: 'A required field is missing or empty.',
  positive: 'An amount is zero or negative where it must not be.',
  notValid: 'The type, the shape or the length is wrong.',
  notUrl: 'It is not an http or https address, or it cannot be reached where it has to be.',
  notChoice: 'It is none of the words that are possible here.',
};

/** The five texts of faulty fields. */
export function FieldTextTable() {
  return (
    <Table name="Texts of faulty fields" head={['Text', 'When']}>
      {Object.entries(fieldTexts).map(([key, condition]) => (
        <tr key={key}>
          <td>{texts[key as keyof typeof texts]}</td>
          <td>{condition}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The wire's word of each state. */
export type StateWords = Readonly<Record<State, string>>;

const stateMeanings: Record<State, string> = {
  prepare: 'The session is open, or an attempt is under way.',
  threeds: 'The payer is at the bank for 3-D Secure.',
  redirect: "The payer is at the provider's page.",
  pending: 'The money is held, or a bank has not answered yet.',
  settled: 'The money is taken.',
  declined: 'The attempt failed. Another one may follow while the session lasts.',
  refund: 'All of it was given back.',
  reversal: 'The held money was released, or a debit was taken back.',
  void: 'It was undone on the day of the payment.',
  chargeback: "The payer's bank took the money back.",
};

/** The ten states. */
export function StateTable({ words }: { words: StateWords }) {
  return (
    <Table name="States" head={['State', 'Word', 'Meaning']}>
      {states.map((state) => (
        <tr key={state}>
          <td className="nowrap">
            <Status status={words[state]} />
          </td>
          <td>
            <code>{words[state]}</code>
          </td>
          <td>{stateMeanings[state]}</td>
        </tr>
      ))}
    </Table>
  );
}

const eventMeanings: Record<Event, string> = {
  challenge: 'the bank asks for 3-D Secure',
  redirect: 'the provider asks for the payer',
  hold: 'the money was held',
  await: 'the payer or their bank has yet to act elsewhere',
  settle: 'the money was taken',
  decline: 'the attempt was declined',
  capture: 'the held money was captured',
  release: 'the held money was released',
  expire: 'the hold ran out',
  refund: 'all that was left was refunded',
  refundPart: 'a part was refunded',
  void: 'the payment was voided',
  reverse: 'a debit was taken back',
  chargeback: 'the payer disputed the payment',
  retry: 'another attempt begins',
};

/** Every move of the table of states. */
export function MoveTable({ words }: { words: StateWords }) {
  const moves = states.flatMap((from) =>
    (Object.entries(transitions[from]) as [Event, State][]).map(([event, to]) => ({ from, event, to })),
  );
  return (
    <Table name="Moves" head={['From', 'When', 'To']}>
      {moves.map(({ from, event, to }) => (
        <tr key={`${from} ${event}`}>
          <td className="nowrap">
            <Status status={words[from]} />
          </td>
          <td>{eventMeanings[event]}</td>
          <td className="nowrap">
            <Status status={words[to]} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
