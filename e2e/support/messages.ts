// The messages of a payment with their texts, which the database has sealed.
import { sql } from './database-rows.ts';
import { decryptBytes, serverSettings } from './vault.ts';

export type SentMessage = { channel: string; recipient: string; subject: string; text: string; url: string };

/** The messages of the payment of an order, oldest first. */
export async function messagesOf(orderNumber: string): Promise<SentMessage[]> {
  const rows = await sql(
    `select m.id, m.channel::text, m.recipient, m.subject,
            encode(m.sealed, 'hex') as sealed, encode(k.wrapped, 'hex') as wrapped
       from messages m join payments p on p.id = m.payment_id
       join data_keys k on k.purpose = 'seal'
        and k.version = get_byte(m.sealed, 0) * 256 + get_byte(m.sealed, 1)
      where p.order_number = $1 order by m.created_at`,
    [orderNumber],
  );
  const vaultKey = Buffer.from(serverSettings().VAULT_KEY ?? '', 'base64');
  return rows.map(({ id, sealed, wrapped, ...message }) => {
    const key = decryptBytes(vaultKey, Buffer.from(wrapped, 'hex'), 'data-key-seal').subarray(1);
    const context = ['message', message.recipient, id, ''].join('\n');
    return { ...message, ...JSON.parse(decryptBytes(key, Buffer.from(sealed, 'hex').subarray(2), context).toString()) };
  });
}
